create view app.counted_events with (security_invoker = true) as
select a.source_id, a.hub_id, a.actor_id, a.post_id, a.kind, a.occurred_at, a.is_own_share
from app.feed_acts as a
where a.lost_at is null
  and (a.kind in ('targeted', 'shared_to_hub') or a.actor_id not in (select h.user_id from app.hidden_users as h));
comment on view app.counted_events is 'What counts now in the caller''s home feed, of the streams they read: nothing by hidden users, other than what was placed in a Hub of both.';
