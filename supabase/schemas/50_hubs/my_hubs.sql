create view app.my_hubs with (security_invoker = true) as
select m.hub_id, m.role, m.joined_at
from app.memberships as m
where m.user_id = (select app.user_id());
comment on view app.my_hubs is 'The Hubs of which the caller is an active member, as what, and since when. Every policy about that asks here.';

grant select on app.my_hubs to authenticated;
