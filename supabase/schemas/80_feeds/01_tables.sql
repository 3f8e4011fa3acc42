create type app.feed_event_kind as enum ('published', 'targeted', 'voted', 'commented', 'reposted', 'shared_to_feed', 'shared_to_hub');
comment on type app.feed_event_kind is 'What brings a post into feeds, and up in them (docs/product.md F4-F6).';

create type app.feed_entry as (at timestamptz, id uuid, kind app.feed_event_kind);
comment on type app.feed_entry is 'A post at its place in a feed, and what put it there; null for a trending score.';

create type app.feed_position as (at timestamptz, id uuid, began_at timestamptz, seen pg_snapshot, part text, feed text);
comment on type app.feed_position is 'A cursor position in a feed: behind which post, when its first page was read and what was committed then (times do not tell: what began earlier may end later), in which part (recent; active or quiet of a trending feed), and a mark of which feed.';

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

create table app.former_sources (
  user_id uuid not null references app.users (id) on delete cascade,
  source_id uuid not null,
  ended_at timestamptz not null default app.now(),
  ended_by xid8 not null default pg_current_xact_id(),
  constraint former_sources_pkey primary key (user_id, source_id)
);
comment on table app.former_sources is 'Whom people followed and in which Hubs they were until less than a day ago: so that a walk through a feed knows what it has shown.';
create index former_sources_ended_at_idx on app.former_sources (ended_at);
alter table app.former_sources enable row level security;

create table app.default_feed_users (
  user_id uuid primary key references app.users (id) on delete cascade,
  added_at timestamptz not null default app.now()
);
comment on table app.default_feed_users is 'Whose public posts a home feed without sources of its own shows; chosen by staff (docs/product.md F3).';
alter table app.default_feed_users enable row level security;
grant select on app.default_feed_users to anon, authenticated;
