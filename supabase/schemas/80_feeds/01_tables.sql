create type app.feed_event_kind as enum ('published', 'targeted', 'voted', 'commented', 'reposted', 'shared_to_feed', 'shared_to_hub');
comment on type app.feed_event_kind is
  'Kinds of events that bring a post into feeds, or move it up (docs/product.md F4-F6).';

create type app.feed_candidate as (at timestamptz, id uuid, kind app.feed_event_kind, actor_id uuid);
comment on type app.feed_candidate is
  'The id of a post at its position in a feed, with the kind, time and actor of its event. In a ranking by trending '
  'score, at is the score, and kind and actor are null.';

create type app.feed_entry as (at timestamptz, id uuid, kind app.feed_event_kind, post app.posts);
comment on type app.feed_entry is
  'A candidate of a feed (app.feed_candidate) with its post, which the caller has read under the policy of posts.';

create type app.feed_position as (
  at timestamptz, id uuid, began_at timestamptz, seen pg_snapshot, part text, is_own boolean, list text
);
comment on type app.feed_position is
  'A cursor position in a feed: the last post shown (at, id), the time of page one (began_at), the transactions '
  'committed at page one (seen), the part of the feed (recent; active or quiet of a trending feed), whether the home '
  'feed had sources of the caller''s (is_own), and the list of its cursors (app.list_of). A time cannot replace the '
  'snapshot: a transaction that began before page one may commit after it.';

-- Events that bring posts into feeds, in streams that are read from the newest on.
--
-- The stream of a person holds their activity on public posts, each kind at its newest time. The stream of a Hub
-- holds the same activity of all present members, and the placements in the Hub. A feed therefore reads one stream
-- per followed person and one per Hub, however many members the Hub has. An event says from when until when it
-- counted, so that a later page reads the feed as it was at page one (app.events_at).
create table app.feed_events (
  hub_id uuid references app.hubs (id) on delete cascade,
  actor_id uuid references app.users (id) on delete cascade,
  source_id uuid generated always as (coalesce(hub_id, actor_id)) stored,
  post_id uuid not null references app.posts (id) on delete cascade,
  kind app.feed_event_kind not null,
  occurred_at timestamptz not null,
  begun_by xid8 default pg_current_xact_id(),
  ended_at timestamptz,
  ended_by xid8,
  constraint feed_events_have_a_source check (source_id is not null),
  constraint feed_events_ended_at_and_by check (num_nulls(ended_at, ended_by) in (0, 2))
);
comment on table app.feed_events is
  'One row per event that brings a post into feeds (docs/product.md F1-F9, docs/decisions/011-feeds.md).';
comment on column app.feed_events.hub_id is 'The Hub whose stream has the event; null in a person''s own stream.';
comment on column app.feed_events.actor_id is
  'The person whose activity it is; null for a share into a Hub by an ended account.';
comment on column app.feed_events.occurred_at is
  'The time from which the event counts. A vote counts some time after it is cast (docs/product.md V15).';
comment on column app.feed_events.begun_by is
  'The transaction that recorded the event; null for a vote, because it would pair the voter with the counts of its '
  'transaction, and after a restore.';
comment on column app.feed_events.ended_at is
  'The time from which the event no longer counts: its subject was deleted, its actor left the Hub, or the actor '
  'repeated the activity. The row stays for a day for later pages.';
comment on column app.feed_events.ended_by is 'The transaction that set ended_at.';
create index feed_events_stream_idx on app.feed_events (source_id, occurred_at desc, post_id desc)
include (actor_id, kind, begun_by, ended_by);
create unique index feed_events_activity_key on app.feed_events (post_id, source_id, actor_id, kind)
where ended_at is null;
create index feed_events_post_id_idx on app.feed_events (post_id, occurred_at desc);
create index feed_events_actor_id_idx on app.feed_events (actor_id, hub_id);
create index feed_events_hub_id_idx on app.feed_events (hub_id, actor_id) where hub_id is not null;
create index feed_events_ended_idx on app.feed_events (post_id, source_id) where ended_at is not null;
create index feed_events_ended_at_idx on app.feed_events (ended_at) where ended_at is not null;
create index feed_events_own_share_idx on app.feed_events (actor_id, occurred_at desc, post_id desc)
where kind = 'shared_to_hub';

-- No policy: rows say who did what. Definer functions read them and return posts only.
alter table app.feed_events enable row level security;

-- It references no user: what deletes a post also ends the shares of others, and would lock them behind the post.
create table app.feed_changes (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id uuid,
  object_id uuid not null,
  former_at timestamptz,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default app.now(),
  constraint feed_changes_are_of_known_kinds check (
    kind in (
      'follows', 'memberships', 'blocks', 'blockers', 'suspensions', 'account_deletions', 'default_feed_users',
      'feed_shares'
    )
  )
);
comment on table app.feed_changes is
  'One row per change of the last day in what decides about feeds, as it was before: sources of readers, hidden users, '
  'default feed users and shares to feeds. A later page undoes the changes since page one.';
comment on column app.feed_changes.kind is
  'The table that changed. A block is two changes: blocks for its author, blockers for the blocked user.';
comment on column app.feed_changes.subject_id is
  'The user whose feeds or profile the change concerns; null for everybody.';
comment on column app.feed_changes.object_id is 'The followed, hidden or chosen user, the Hub, or the shared post.';
comment on column app.feed_changes.former_at is 'The time of the row before the change; null if there was none.';
create index feed_changes_subject_id_idx on app.feed_changes (subject_id, changed_by);
create index feed_changes_changed_at_idx on app.feed_changes (changed_at);
alter table app.feed_changes enable row level security;

create table app.default_feed_users (
  user_id uuid primary key references app.users (id) on delete cascade,
  added_at timestamptz not null default app.now()
);
comment on table app.default_feed_users is
  'One row per user whose public posts fill the home feed of callers without sources of their own (docs/product.md '
  'F3). Staff chooses them.';
alter table app.default_feed_users enable row level security;
grant select on app.default_feed_users to anon, authenticated;
