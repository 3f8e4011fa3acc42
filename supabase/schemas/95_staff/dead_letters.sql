create view staff.dead_letters with (security_invoker = true) as
select
  d.id, d.notification_id, e.type, n.recipient_id,
  case when d.is_of_stream then 'stream' else 'device' end as channel,
  d.attempt_count, d.failure, d.died_at
from app.dead_letters as d
join app.notifications as n on n.id = d.notification_id
join app.events as e on e.id = n.event_id;
comment on view staff.dead_letters is 'Notifications that could not be sent however often it was tried: to whom, how, and the code of the last failure; staff.requeue_dead_letter sends them once more.';

grant select on staff.dead_letters to staff_admin;
