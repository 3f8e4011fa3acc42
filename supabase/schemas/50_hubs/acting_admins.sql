create view app.acting_admins with (security_invoker = true) as
select m.hub_id, m.user_id
from app.memberships as m
where m.role = 'admin' and not exists (select from app.suspensions as s where s.user_id = m.user_id);
comment on view app.acting_admins is 'The admins of Hubs who can act as such: those whom staff has suspended are admins still, and cannot.';
