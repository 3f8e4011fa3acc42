create table app.feed_events (
  hub_id uuid references app.hubs (id) on delete cascade,
  actor_id uuid references app.users (id) on delete cascade,
  source_id uuid generated always as (coalesce(hub_id, actor_id)) stored,
  post_id uuid not null references app.posts (id) on delete cascade,
  kind app.feed_event_kind not null,
  occurred_at timestamptz not null,
  lost_at timestamptz,
  lost_by xid8,
  constraint feed_events_have_a_source check (source_id is not null),
  constraint feed_events_are_lost_by_somebody check (num_nulls(lost_at, lost_by) in (0, 2))
);
comment on table app.feed_events is 'What brings posts into feeds, as streams to be read from the newest on. The stream of a person holds what they did with public posts, at its newest time; the stream of a Hub holds the same of all who are in it now, and what was placed in it. So a feed reads one stream for each person followed and one for each Hub, however many are in it. See docs/decisions/011-feeds.md.';
comment on column app.feed_events.hub_id is 'The Hub in whose stream it is; null in a person''s own.';
comment on column app.feed_events.actor_id is 'Who did it; null where somebody shared into a Hub whose account has ended.';
comment on column app.feed_events.occurred_at is 'From when on it counts: a vote somewhat after it was cast (docs/decisions/003-votes.md).';
comment on column app.feed_events.lost_at is 'Since when it counts no more: what it was about was deleted, its actor has left the Hub, or did it again. Kept for a day, so that a walk through a feed knows what it has shown.';
comment on column app.feed_events.lost_by is 'The transaction that lost it.';

create index feed_events_stream_idx on app.feed_events (source_id, occurred_at desc, post_id desc) include (actor_id, kind)
where lost_at is null;
create unique index feed_events_act_key on app.feed_events (post_id, source_id, actor_id, kind) where lost_at is null;
create index feed_events_post_id_idx on app.feed_events (post_id, occurred_at desc);
create index feed_events_actor_id_idx on app.feed_events (actor_id, hub_id);
create index feed_events_hub_id_idx on app.feed_events (hub_id, actor_id) where hub_id is not null;
create index feed_events_lost_idx on app.feed_events (post_id) where lost_at is not null;
create index feed_events_own_share_idx on app.feed_events (actor_id, occurred_at desc, post_id desc)
where kind = 'shared_to_hub';
create index feed_events_lost_by_idx on app.feed_events (lost_by) where lost_by is not null;
create index feed_events_lost_at_idx on app.feed_events (lost_at) where lost_at is not null;

-- No policy shows who did what: the functions that find the caller's posts here read them as their owner.
alter table app.feed_events enable row level security;

-- Walks are pinned where a post had no activity for seven days, and in the feeds of Hubs. They last a day at most.
create trigger feed_events_keep_former_after_update after update of occurred_at on app.feed_events
for each row
when (
  new.occurred_at > old.occurred_at and (new.kind = 'shared_to_hub' or new.occurred_at > old.occurred_at + interval '7 days')
)
execute function app.keep_former_event();
