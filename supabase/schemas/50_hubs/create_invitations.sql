create function api.create_invitations(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_items jsonb;
begin
  perform app.require_level(4);
  select jsonb_agg(
    jsonb_build_object(
      'id', invited.id, 'state', 'pending', 'expiresAt', app.iso(invited.expires_at), 'sealedToken', invited.sealed_token
    )
    order by invited.place
  )
  into v_items
  from (
    select made.id, made.expires_at, given.item ->> 'sealedToken' as sealed_token, given.place
    from jsonb_array_elements(app.items_argument(p_args, 'invitations', 1, 50)) with ordinality as given (item, place)
    cross join lateral app.put_invitation(
      v_hub_id, given.item ->> 'phoneNumber', decode(given.item ->> 'tokenHash', 'hex')
    ) as made
  ) as invited;
  return jsonb_build_object(
    'hubName', (select h.name from app.hubs as h where h.id = v_hub_id),
    'inviterName', (select p.full_name from app.profiles as p where p.user_id = app.user_id()),
    'items', v_items
  );
end
$$;
comment on function api.create_invitations(jsonb) is 'POST /hubs/{hubId}/invitations (spec.md G, contract.md 8). Takes hubId and invitations, each with phoneNumber, tokenHash (SHA-256, hex) and sealedToken; answers hubName, inviterName and items in the same order: id, state, expiresAt and sealedToken, for the service to make the address of. Phones are the request''s own, and are not in the answer, which may be kept. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, RATE_LIMITED.';

revoke all on function api.create_invitations(jsonb) from public;
grant execute on function api.create_invitations(jsonb) to authenticated;
