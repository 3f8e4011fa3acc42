create view app.withheld_notifications as
select (n.row).id, (n.row).recipient_id, (n.row).audience, (n.row).scope_id
from app.estrangements as e
-- Offset keeps Postgres from going through all that is unread in search of a few people.
cross join lateral (
  select own as row
  from app.notifications as own
  where own.recipient_id = e.user_id and own.actor_id = e.other_id and own.read_at is null
  offset 0
) as n
where app.is_withheld(n.row)
union
select (n.row).id, (n.row).recipient_id, (n.row).audience, (n.row).scope_id
from app.estrangements as e
cross join lateral (
  select own as row
  from app.notifications as own
  where own.recipient_id = e.user_id and own.author_id = e.other_id and own.read_at is null
  offset 0
) as n
where app.is_withheld(n.row)
union
select n.id, n.recipient_id, n.audience, n.scope_id
from app.notifications as n
where n.audience = 'target_member' and n.read_at is null and app.is_withheld(n);
comment on view app.withheld_notifications is 'Unread notifications that are withheld (app.is_withheld), found without reading the others.';
