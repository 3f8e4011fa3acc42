create function app.argument(p_args jsonb, p_name text, p_type text, p_within text default null)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_value jsonb := p_args -> p_name;
  v_type text := jsonb_typeof(v_value);
begin
  if v_type = p_type then
    return v_value;
  end if;
  if v_type <> 'null' then
    perform app.refuse_argument(
      array_remove(array[p_within, p_name], null),
      'invalid_type', format('Must be of the JSON type %s.', p_type)
    );
  end if;
  return null;
end
$$;
comment on function app.argument(jsonb, text, text, text) is 'Reads an argument of an operation. Args: p_args, p_name, p_type (JSON type: string, number, boolean, array or object), p_within (the argument that holds p_args, for the path of an error). Returns the JSON value; null where it is missing or null. Errors: VALIDATION_FAILED for another type.';

revoke all on function app.argument(jsonb, text, text, text) from public;
grant execute on function app.argument(jsonb, text, text, text) to anon, authenticated;
