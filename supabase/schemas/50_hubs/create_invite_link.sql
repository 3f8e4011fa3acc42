create function api.create_invite_link(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid := p_args ->> 'hubId';
  v_id uuid;
begin
  perform app.hold_member(v_hub_id, 'manager');
  perform app.limit_invite_links(v_hub_id);
  insert into app.invite_links (hub_id, token_hash, max_uses, expires_at)
  values (
    v_hub_id, decode(p_args ->> 'tokenHash', 'hex'), (p_args ->> 'maxUses')::integer,
    app.now() + make_interval(days => (p_args ->> 'expiresInDays')::integer)
  )
  returning id into v_id;
  return app.listed_links(array[(null, v_id)::app.list_entry]) -> 0 || jsonb_build_object('sealedToken', p_args ->> 'sealedToken');
end
$$;
comment on function api.create_invite_link(jsonb) is 'POST /hubs/{hubId}/invite-links (spec.md G, contract.md 8). Takes hubId, expiresInDays, maxUses, tokenHash (SHA-256, hex) and sealedToken; answers the link with sealedToken, for the service to open. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, FORBIDDEN for a member who is no more than that, RATE_LIMITED.';

revoke all on function api.create_invite_link(jsonb) from public;
grant execute on function api.create_invite_link(jsonb) to authenticated;
