create view app.feed_acts with (security_invoker = true) as
select
  e.source_id, e.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at, e.lost_at, e.lost_by,
  e.kind = 'shared_to_hub' and e.actor_id is not distinct from (select app.user_id()) as is_own_share
from app.feed_events as e
where e.kind in ('published', 'targeted', 'shared_to_hub') or e.actor_id is distinct from (select app.user_id());
comment on view app.feed_acts is 'The streams without the caller''s own votes, comments, reposts and shares to their feed, which move nothing in their own home feed. Own shares into Hubs (is_own_share) place a card that is there for no other reason.';
