create function app.require_live_session()
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
begin
  -- The gateway has looked already. The Data API checks a token's signature alone.
  if (current_setting('opine.live_session', true) = v_claims ->> 'session_id') is not true and not app.session_is_live(v_claims) then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
end
$$;
comment on function app.require_live_session() is 'Refuses a session that has ended. One look-up at most, none behind the gateway. Raises UNAUTHORIZED.';

revoke all on function app.require_live_session() from public;
grant execute on function app.require_live_session() to authenticated;
