create function app.text_argument(
  p_args jsonb, p_name text, p_min integer default 0, p_max integer default 10000, p_within text default null
)
returns text
language plpgsql
stable
set search_path = ''
as $$
declare
  v_text text := p_args ->> p_name;
  v_path text[];
begin
  if v_text is null or (
    char_length(v_text) between p_min and p_max and jsonb_typeof(p_args -> p_name) = 'string'
    and (v_text = '' or app.has_visible_character(v_text))
  ) then
    return v_text;
  end if;
  perform app.argument(p_args, p_name, 'string', p_within);
  v_path := array_remove(array[p_within, p_name], null);
  if char_length(v_text) > p_max then
    perform app.refuse_argument(v_path, 'too_big', format('Must have at most %s characters.', p_max));
  elsif char_length(v_text) < p_min then
    perform app.refuse_argument(v_path, 'too_small', format('Must have at least %s characters.', p_min));
  end if;
  perform app.refuse_argument(v_path, 'invisible', 'Must hold a visible character.');
  return null;
end
$$;
comment on function app.text_argument(jsonb, text, integer, integer, text) is 'Reads a text. Args: as app.argument; p_min and p_max (characters, one of which must be visible). A text that is stored has its limits at its column: the defaults bound what reaches the table. Returns the text; null where it is missing or null. Errors: VALIDATION_FAILED.';

revoke all on function app.text_argument(jsonb, text, integer, integer, text) from public;
grant execute on function app.text_argument(jsonb, text, integer, integer, text) to anon, authenticated;
