create function app.is_called(p_profile app.profiles, p_query text)
returns boolean
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return p_query <> ''
    and (starts_with(p_profile.username, p_query) or position(' ' || p_query in ' ' || p_profile.search_name) > 0);
end
$$;
comment on function app.is_called(app.profiles, text) is 'Whether somebody''s username, or any word of their name, begins with a text (see app.search_key); nobody''s does with an empty one.';

revoke all on function app.is_called(app.profiles, text) from public;
grant execute on function app.is_called(app.profiles, text) to authenticated;
