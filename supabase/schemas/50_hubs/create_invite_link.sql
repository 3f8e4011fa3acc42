create function api.create_invite_link(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_id uuid := app.put_invite_link(
    (p_args ->> 'hubId')::uuid, decode(p_args ->> 'tokenHash', 'hex'),
    app.integer_argument(p_args, 'maxUses', 1, 1000),
    make_interval(days => coalesce(app.integer_argument(p_args, 'expiresInDays', 1, 30), 7))
  );
begin
  return app.listed_links(array[(null, v_id)::app.list_entry]) -> 0 || jsonb_build_object('sealedToken', p_args ->> 'sealedToken');
end
$$;
comment on function api.create_invite_link(jsonb) is 'POST /hubs/{hubId}/invite-links (spec.md G, contract.md 8). Takes hubId, expiresInDays, maxUses, tokenHash (SHA-256, hex) and sealedToken; answers the link with sealedToken, for the service to open. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, FORBIDDEN for a member who is no more than that, RATE_LIMITED.';

revoke all on function api.create_invite_link(jsonb) from public;
grant execute on function api.create_invite_link(jsonb) to authenticated;
