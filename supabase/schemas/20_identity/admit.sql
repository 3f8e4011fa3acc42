create function app.admit(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if current_user = 'authenticated' then
    perform app.require_live_session();
  end if;
  return p_args;
end
$$;
comment on function app.admit(jsonb) is 'Refuses a session that has ended, in operations that guests may call too: app.require_level does it in all others. Returns the arguments of the operation. Raises UNAUTHORIZED.';

revoke all on function app.admit(jsonb) from public;
grant execute on function app.admit(jsonb) to anon, authenticated;
