create function app.become_member(p_hub_id uuid, p_user_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into app.memberships (hub_id, user_id, role) values (p_hub_id, p_user_id, 'member');
  update app.join_requests
  set state = 'approved'
  where hub_id = p_hub_id and user_id = p_user_id and state = 'pending_admin_approval';
  update app.hub_invitations as i
  set state = 'accepted'
  from app.users as u
  where u.id = p_user_id and i.hub_id = p_hub_id and i.phone = u.phone
    and app.state_of(i.state, i.expires_at) = 'pending';
  perform app.emit('hub_member_joined', p_actor_id => p_user_id, p_subject_id => p_user_id, p_hub_id => p_hub_id);
end
$$;
comment on function app.become_member(uuid, uuid) is 'Makes somebody an active member of a Hub that is locked: the one way into a Hub that is there. What else was open between them is settled by that: a later removal finds no old invitation to come back by.';

revoke all on function app.become_member(uuid, uuid) from public;
