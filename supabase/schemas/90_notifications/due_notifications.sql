create view app.due_notifications as
select v.id, v.recipient_id
from app.visible_notifications as v
join app.events as e on e.id = v.event_id
where v.read_at is null
  and not (app.honours_mute(e) and exists (
    select from app.memberships as m where m.hub_id = e.hub_id and m.user_id = v.recipient_id and m.is_muted
  ));
comment on view app.due_notifications is 'The notifications of which people may be told at the moment, on the stream or by push: visible, unread, and of no Hub that they have muted since.';
