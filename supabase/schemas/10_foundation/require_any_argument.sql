create function app.require_any_argument(p_args jsonb, variadic p_names text[])
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if not p_args ?| p_names then
    perform app.refuse_argument('{}', 'required', format('Needs one of %s.', array_to_string(p_names, ', ')));
  end if;
end
$$;
comment on function app.require_any_argument(jsonb, text[]) is 'Requires at least one argument of an operation, null or not. Args: p_args, p_names. Errors: VALIDATION_FAILED.';

revoke all on function app.require_any_argument(jsonb, text[]) from public;
grant execute on function app.require_any_argument(jsonb, text[]) to authenticated;
