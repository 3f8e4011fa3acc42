create function app.admit(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
begin
  -- Nested, as a guest may not call app.session_is_live, and an expression checks the privileges of all that it names.
  if current_user = 'authenticated' then
    -- The gateway has looked already. The Data API checks a token's signature alone.
    if (current_setting('opine.live_session', true) = v_claims ->> 'session_id') is not true and not app.session_is_live(v_claims) then
      raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
    end if;
  end if;
  return p_args;
end
$$;
comment on function app.admit(jsonb) is 'Refuses a session that has ended, in operations that guests may call too: app.require_level does it in all others. Returns the arguments of the operation. Raises UNAUTHORIZED.';

revoke all on function app.admit(jsonb) from public;
grant execute on function app.admit(jsonb) to anon, authenticated;
