create function app.is_plain_name(p_name text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  -- Control characters, line ends, and the controls that turn the direction of what follows.
  return p_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]' and app.has_visible_character(p_name);
end
$$;
comment on function app.is_plain_name(text) is 'Tells whether a name is one line that a person can see and that changes no text beside it. Args: p_name. Returns null for null.';

revoke all on function app.is_plain_name(text) from public;
grant execute on function app.is_plain_name(text) to authenticated;
