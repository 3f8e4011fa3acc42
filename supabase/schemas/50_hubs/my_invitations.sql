create view app.my_invitations with (security_invoker = true) as
select i.id as invitation_id, i.hub_id, i.created_at as invited_at, app.state_of(i.state, i.expires_at) as state
from app.hub_invitations as i
where i.phone = (select own.phone from app.users as own where own.id = (select app.user_id()))
  and i.inviter_id not in (select b.user_id from app.blocked_users as b);
comment on view app.my_invitations is 'Invitations to the caller''s own phone, except those by people on the other side of a block.';

grant select on app.my_invitations to authenticated;
