create function gateway.enter(p_claims jsonb, p_falls_back boolean, p_request_id text default null)
returns void
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
  perform set_config('request.jwt.claims', coalesce(v_claims, '{"role":"anon"}')::text, true);
  perform set_config('role', case when v_claims is null then 'anon' else 'authenticated' end, true);
end
$$;
comment on function gateway.enter(jsonb, boolean, text) is 'Makes the rest of the transaction run as the caller: authenticated with p_claims (verified; null for a guest), else anon. A dead session raises UNAUTHORIZED, or counts as a guest where p_falls_back. Postgres shows p_request_id meanwhile (gateway.show_request).';

revoke all on function gateway.enter(jsonb, boolean, text) from public;
grant execute on function gateway.enter(jsonb, boolean, text) to opine_gateway, opine_serializable;
