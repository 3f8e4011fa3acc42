create function app.lock_own_invitation(p_id uuid)
returns app.hub_invitations
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_invitation app.hub_invitations;
begin
  perform app.lock_hub((select i.hub_id from app.hub_invitations as i where i.id = p_id));
  select i.* into v_invitation
  from app.hub_invitations as i
  join app.my_invitations as mine on mine.invitation_id = i.id
  join app.users as own on own.id = app.user_id() and own.phone = i.phone
  join app.hubs as h on h.id = i.hub_id and h.is_open
  where i.id = p_id
  -- Whoever ends their account at the same time has accepted before, or nothing.
  for update of i for key share of own;
  if v_invitation.id is null then
    raise exception using errcode = 'PT404', message = 'INVITATION_NOT_FOUND';
  end if;
  if app.state_of(v_invitation.state, v_invitation.expires_at) <> 'pending' then
    raise exception using errcode = 'PT409', message = 'INVITATION_NOT_PENDING';
  end if;
  return v_invitation;
end
$$;
comment on function app.lock_own_invitation(uuid) is 'An open invitation that names the caller''s verified phone, with its Hub locked. Raises INVITATION_NOT_FOUND, also for anybody else''s; INVITATION_NOT_PENDING.';

revoke all on function app.lock_own_invitation(uuid) from public;
