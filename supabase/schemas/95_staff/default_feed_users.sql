create view staff.default_feed_users with (security_invoker = true) as
select d.user_id, p.username, p.full_name, d.added_at
from app.default_feed_users as d
left join app.profiles as p on p.user_id = d.user_id;
comment on view staff.default_feed_users is 'Whose public posts people see who follow nobody yet (spec.md "Home feed rules").';

grant select on staff.default_feed_users to staff_support;
