create function app.require_arguments(p_args jsonb, variadic p_names text[])
returns void
language plpgsql
stable
set search_path = ''
as $$
declare
  v_name text;
begin
  foreach v_name in array p_names loop
    if coalesce(p_args -> v_name, 'null') = 'null' then
      perform app.refuse_argument(array[v_name], 'required', 'Is required.');
    end if;
  end loop;
end
$$;
comment on function app.require_arguments(jsonb, text[]) is 'Requires arguments of an operation. Args: p_args, p_names. Errors: VALIDATION_FAILED for the first that is missing or null.';

revoke all on function app.require_arguments(jsonb, text[]) from public;
grant execute on function app.require_arguments(jsonb, text[]) to anon, authenticated;
