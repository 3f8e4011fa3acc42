create view app.withheld_notifications as
select n.id, n.recipient_id, n.audience, n.scope_id
from app.blocked_pairs as b
-- Offset keeps Postgres from going through all that is unread in search of a few people.
cross join lateral (
  select own.*
  from app.judged_notifications as own
  where own.recipient_id = b.user_id and own.actor_id = b.other_id and own.read_at is null
  offset 0
) as n
where n.is_withheld
union
select n.id, n.recipient_id, n.audience, n.scope_id
from app.blocked_pairs as b
cross join lateral (
  select own.*
  from app.judged_notifications as own
  where own.recipient_id = b.user_id and own.author_id = b.other_id and own.read_at is null
  offset 0
) as n
where n.is_withheld
union
select n.id, n.recipient_id, n.audience, n.scope_id
from app.judged_notifications as n
where n.audience = 'target_member' and n.read_at is null and n.is_withheld;
comment on view app.withheld_notifications is 'Unread notifications that are withheld (app.judged_notifications), found without reading the others.';
