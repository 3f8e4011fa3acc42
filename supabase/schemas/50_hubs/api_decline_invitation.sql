create function api.decline_invitation(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.decline_invitation((p_args ->> 'invitationId')::uuid);
  return jsonb_build_object('id', (p_args ->> 'invitationId')::uuid, 'state', 'declined');
end
$$;
comment on function api.decline_invitation(jsonb) is 'POST /hub-invitations/{invitationId}/decline (spec.md G). Takes invitationId; answers id and state. Raises UNAUTHORIZED, INVITATION_NOT_FOUND, INVITATION_NOT_PENDING.';

revoke all on function api.decline_invitation(jsonb) from public;
grant execute on function api.decline_invitation(jsonb) to authenticated;
