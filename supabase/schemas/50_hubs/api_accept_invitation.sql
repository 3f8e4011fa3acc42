create function api.accept_invitation(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_accepted record := app.accept_invitation((p_args ->> 'invitationId')::uuid);
begin
  return jsonb_build_object(
    'hubId', v_accepted.hub_id,
    'viewerStatus', (app.standing_in(v_accepted.hub_id)).status,
    'joinRequestId', v_accepted.join_request_id
  );
end
$$;
comment on function api.accept_invitation(jsonb) is 'POST /hub-invitations/{invitationId}/accept (spec.md G, "Hub membership"). Takes invitationId; answers hubId, viewerStatus and joinRequestId. Raises UNAUTHORIZED, FORBIDDEN below level 4, INVITATION_NOT_FOUND, INVITATION_NOT_PENDING, ALREADY_MEMBER, JOIN_REQUEST_PENDING.';

revoke all on function api.accept_invitation(jsonb) from public;
grant execute on function api.accept_invitation(jsonb) to authenticated;
