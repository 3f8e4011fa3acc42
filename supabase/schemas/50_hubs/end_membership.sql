create function app.end_membership(p_hub_id uuid, p_user_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  delete from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id;
  -- Nobody comes back by an invitation from before.
  update app.hub_invitations as i
  set state = 'expired'
  from app.users as u
  where u.id = p_user_id and i.hub_id = p_hub_id and i.phone = u.phone and i.state = 'pending';
  update app.hubs as h set closed_at = app.now(), custom_link = null where h.id = p_hub_id and h.member_count = 0;
end
$$;
comment on function app.end_membership(uuid, uuid) is 'Ends a membership of a Hub that is locked, and closes the Hub with the last one.';

revoke all on function app.end_membership(uuid, uuid) from public;
