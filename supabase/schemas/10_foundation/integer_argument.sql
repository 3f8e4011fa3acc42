create function app.integer_argument(p_args jsonb, p_name text, p_min integer, p_max integer)
returns integer
language plpgsql
stable
set search_path = ''
as $$
declare
  v_number numeric;
begin
  if p_args ->> p_name is null then
    return null;
  end if;
  v_number := app.argument(p_args, p_name, 'number')::numeric;
  if v_number not between p_min and p_max then
    perform app.refuse_argument(array[p_name], 'out_of_range', format('Must be from %s to %s.', p_min, p_max));
  elsif v_number <> trunc(v_number) then
    perform app.refuse_argument(array[p_name], 'invalid_type', 'Must be a whole number.');
  end if;
  return v_number::integer;
end
$$;
comment on function app.integer_argument(jsonb, text, integer, integer) is 'Reads a whole number from p_min to p_max. Args: as app.argument. Returns the number; null where it is missing or null. Errors: VALIDATION_FAILED.';

revoke all on function app.integer_argument(jsonb, text, integer, integer) from public;
grant execute on function app.integer_argument(jsonb, text, integer, integer) to anon, authenticated;
