create function gateway.enter(p_claims jsonb, p_falls_back boolean, p_request_id text default null)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_claims jsonb := p_claims;
begin
  perform gateway.show_request(p_request_id);
  if v_claims is not null and not gateway.session_is_live(v_claims) then
    if not p_falls_back then
      raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
    end if;
    v_claims := null;
  end if;
  perform
    set_config('request.jwt.claims', coalesce(v_claims, '{"role":"anon"}')::text, true),
    set_config('opine.live_session', v_claims ->> 'session_id', true);
  return case when v_claims is null then 'anon' else 'authenticated' end;
end
$$;
comment on function gateway.enter(jsonb, boolean, text) is 'Sets the caller''s claims for the rest of the transaction. Args: p_claims, verified, null for a guest; p_falls_back, whether a dead session counts as a guest; p_request_id, see gateway.show_request. Returns the role to run the operation as: authenticated or anon. Errors: UNAUTHORIZED for a dead session.';

revoke all on function gateway.enter(jsonb, boolean, text) from public;
grant execute on function gateway.enter(jsonb, boolean, text) to opine_gateway, opine_serializable;
