create function app.put_invitation(p_hub_id uuid, p_phone text, p_token_hash bytea)
returns app.hub_invitations
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_role app.hub_role;
  v_is_open boolean;
  v_invitation app.hub_invitations;
begin
  perform app.lock_hub(p_hub_id);
  v_role := app.require_member(p_hub_id);
  perform app.require_meter('invitations of a user', app.user_id()::text, 300, interval '1 day');
  perform app.require_meter('invitations to a hub', p_hub_id::text, 1000, interval '1 day');
  update app.hub_invitations as i
  set state = 'expired'
  where i.hub_id = p_hub_id and i.inviter_id = app.user_id() and i.phone = p_phone
    and i.state = 'pending' and app.state_of(i.state, i.expires_at) = 'expired';
  v_is_open := exists (
    select from app.hub_invitations as i
    where i.hub_id = p_hub_id and i.inviter_id = app.user_id() and i.phone = p_phone and i.state = 'pending'
  );
  insert into app.hub_invitations as i (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
  values (p_hub_id, app.user_id(), p_phone, p_token_hash, v_role = 'admin', app.now() + interval '7 days')
  on conflict (hub_id, inviter_id, phone) where state = 'pending' do update
    set token_hash = excluded.token_hash, makes_member = excluded.makes_member, expires_at = excluded.expires_at
  returning i.* into v_invitation;
  if not v_is_open then
    perform app.emit(
      'hub_invite_received', p_actor_id => app.user_id(), p_hub_id => p_hub_id, p_invitation_id => v_invitation.id
    );
  end if;
  return v_invitation;
end
$$;
comment on function app.put_invitation(uuid, text, bytea) is 'The caller invites a phone number to a Hub of theirs, whoever owns it, or invites it anew. Raises what app.require_member does; RATE_LIMITED beyond 300 numbers a day by one member, or 1,000 to one Hub.';

revoke all on function app.put_invitation(uuid, text, bytea) from public;
grant execute on function app.put_invitation(uuid, text, bytea) to authenticated;
