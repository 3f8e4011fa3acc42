create view app.visible_notifications as
select n.*
from app.judged_notifications as n
-- Offset keeps this from becoming a join, of all scopes there are with a few notifications.
where exists (
    select
    from app.inbox_scopes as s
    where s.user_id = n.recipient_id and s.audience = n.audience and s.scope_id = n.scope_id
    offset 0
  )
  and not n.is_withheld;
comment on view app.visible_notifications is 'The notifications that their recipients may see at the moment (spec.md "Visibility and mute"): the stream and push messages ask here; lists and counts, which go by scopes, the two of which it is made.';
