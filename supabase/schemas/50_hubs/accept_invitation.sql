create function app.accept_invitation(p_id uuid, out hub_id uuid, out join_request_id uuid)
returns record
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_invitation app.hub_invitations;
begin
  perform app.require_level(4);
  v_invitation := app.lock_own_invitation(p_id);
  hub_id := v_invitation.hub_id;
  perform app.require_no_member(hub_id);
  -- Who is an admin no longer makes no members either, nor who is suspended.
  if v_invitation.makes_member and exists (
    select from app.acting_admins as a where a.hub_id = v_invitation.hub_id and a.user_id = v_invitation.inviter_id
  ) then
    perform app.become_member(hub_id, app.user_id());
  else
    join_request_id := app.open_join_request(hub_id, 'member_invitation');
    update app.hub_invitations as i set state = 'accepted' where i.id = p_id;
  end if;
end
$$;
comment on function app.accept_invitation(uuid) is 'The caller accepts an invitation: an admin''s makes them an active member, any other a join request, which it answers. Raises FORBIDDEN below level 4, INVITATION_NOT_FOUND, INVITATION_NOT_PENDING, ALREADY_MEMBER, JOIN_REQUEST_PENDING.';

revoke all on function app.accept_invitation(uuid) from public;
grant execute on function app.accept_invitation(uuid) to authenticated;
