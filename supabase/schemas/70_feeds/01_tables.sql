-- In a ranking by trending score, at is the score, and kind and actor are null.
create type app.feed_candidate as (at timestamptz, id uuid, kind app.feed_event_kind, actor_id uuid);
comment on type app.feed_candidate is
  'The id of a post where it stands in a feed, with the kind, time and actor of its event.';

create type app.feed_entry as (at timestamptz, id uuid, kind app.feed_event_kind, post app.posts);
comment on type app.feed_entry is
  'A candidate of a feed (app.feed_candidate) with its post, which the caller has read under the policy of posts.';

-- A time cannot replace the snapshot: a transaction that began before page one may commit after it.
create type app.feed_cursor as (
  at timestamptz, id uuid, began_at timestamptz, seen pg_snapshot, part text, is_own boolean, list text
);
comment on type app.feed_cursor is
  'A cursor of a feed: the last post shown (at, id), the time of page one (began_at), the transactions committed at '
  'page one (seen), the part of the feed (recent; active or quiet of a trending feed), whether the home feed had '
  'sources of the caller''s (is_own), and the list of its cursors (app.list_of).';

-- Staff chooses them.
create table app.default_feed_users (
  user_id uuid primary key references app.users (id) on delete cascade,
  added_at timestamptz not null default app.now()
);
comment on table app.default_feed_users is
  'One row per user whose public posts fill the home feed of callers without sources of their own (docs/product.md '
  'F3).';
alter table app.default_feed_users enable row level security;
grant select on app.default_feed_users to anon, authenticated;
