create view app.my_invitations with (security_invoker = true) as
select i.id as invitation_id, i.hub_id, i.created_at as invited_at, app.state_of(i.state, i.expires_at) as state
from app.hub_invitations as i
where i.phone = (select own.phone from app.users as own where own.id = (select app.user_id()))
  and i.inviter_id not in (select e.user_id from app.estranged as e);
comment on view app.my_invitations is 'The invitations that name the caller''s own phone; none between estranged people.';

grant select on app.my_invitations to authenticated;
