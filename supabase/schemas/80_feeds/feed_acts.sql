create view app.feed_acts with (security_invoker = true) as
select e.source_id, e.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at, e.lost_at, e.lost_by
from app.feed_events as e
where e.kind in ('published', 'targeted') or e.actor_id is distinct from (select app.user_id());
comment on view app.feed_acts is 'The streams without what the caller did themself, other than to publish: that brings nothing up in their own feed (contract.md 7).';
