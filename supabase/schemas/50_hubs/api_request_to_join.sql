create function api.request_to_join(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_asked record := app.request_to_join(decode(p_args ->> 'tokenHash', 'hex'));
begin
  return jsonb_build_object('id', v_asked.join_request_id, 'hubId', v_asked.hub_id, 'state', 'pending_admin_approval');
end
$$;
comment on function api.request_to_join(jsonb) is 'POST /hub-invite-links/{token}/join-requests (spec.md G, "Hub membership"). Takes tokenHash (SHA-256, hex); answers id, hubId and state. Raises UNAUTHORIZED, FORBIDDEN below level 4, INVITE_LINK_NOT_FOUND, ALREADY_MEMBER, JOIN_REQUEST_PENDING.';

revoke all on function api.request_to_join(jsonb) from public;
grant execute on function api.request_to_join(jsonb) to authenticated;
