create view staff.accounts with (security_invoker = true) as
select
  u.id as user_id, p.username, p.full_name, staff.phone_hint(u.id) as phone_hint, u.created_at, u.ended_at, s.suspended_at
from app.users as u
left join app.profiles as p on p.user_id = u.id
left join app.suspensions as s on s.user_id = u.id;
comment on view staff.accounts is 'Accounts as staff sees them. The whole phone is for staff.unmask_phone, which is written down.';

grant select on staff.accounts to staff_support;
