create function app.name_argument(p_args jsonb, p_name text)
returns text
language plpgsql
stable
set search_path = ''
as $$
declare
  v_text text := app.text_argument(p_args, p_name);
begin
  -- Before the table's check, which would write the row into the log.
  if not app.is_plain_name(v_text) then
    perform app.refuse_argument(
      array[p_name], 'not_plain', 'Must be one line with a visible character and without control characters.'
    );
  end if;
  return v_text;
end
$$;
comment on function app.name_argument(jsonb, text) is 'Reads the name of a person, a Hub or a file. Args: as app.argument. Returns the name; null where it is missing or null. Errors: VALIDATION_FAILED for a name that is not plain (app.is_plain_name).';

revoke all on function app.name_argument(jsonb, text) from public;
grant execute on function app.name_argument(jsonb, text) to authenticated;
