create function app.decline_invitation(p_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_invitation app.hub_invitations;
begin
  perform app.require_level(1);
  v_invitation := app.lock_own_invitation(p_id);
  update app.hub_invitations as i set state = 'declined' where i.id = v_invitation.id;
end
$$;
comment on function app.decline_invitation(uuid) is 'The caller declines an invitation. Raises UNAUTHORIZED, INVITATION_NOT_FOUND, INVITATION_NOT_PENDING.';

revoke all on function app.decline_invitation(uuid) from public;
grant execute on function app.decline_invitation(uuid) to authenticated;
