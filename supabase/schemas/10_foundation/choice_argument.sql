create function app.choice_argument(p_args jsonb, p_name text, variadic p_choices text[])
returns text
language plpgsql
stable
set search_path = ''
as $$
declare
  v_choice text := p_args ->> p_name;
begin
  if v_choice <> all (p_choices) then
    perform app.refuse_argument(
      array[p_name], 'invalid_value', format('Must be one of %s.', array_to_string(p_choices, ', '))
    );
  end if;
  return v_choice;
end
$$;
comment on function app.choice_argument(jsonb, text, text[]) is 'Reads one of p_choices. Args: as app.argument. Returns the choice; null where it is missing or null. Errors: VALIDATION_FAILED.';

revoke all on function app.choice_argument(jsonb, text, text[]) from public;
grant execute on function app.choice_argument(jsonb, text, text[]) to anon, authenticated;
