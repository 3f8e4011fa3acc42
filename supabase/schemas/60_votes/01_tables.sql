-- No table has a column of this type: a position lives only in the call that counts it.
create type app.vote_position as enum ('strong_left', 'left', 'neutral', 'right', 'strong_right');
comment on type app.vote_position is 'The five positions of a slider, in order.';

create type app.position_counts as (
  strong_left_count bigint,
  left_count bigint,
  neutral_count bigint,
  right_count bigint,
  strong_right_count bigint
);
comment on type app.position_counts is 'The votes of a pool by position.';

-- The planner inlines it.
create function app.add_counts(p_first app.position_counts, p_second app.position_counts) returns app.position_counts
language sql immutable
return (
  p_first.strong_left_count + p_second.strong_left_count,
  p_first.left_count + p_second.left_count,
  p_first.neutral_count + p_second.neutral_count,
  p_first.right_count + p_second.right_count,
  p_first.strong_right_count + p_second.strong_right_count
)::app.position_counts;
comment on function app.add_counts is 'Returns the votes of two pools together.';

create aggregate app.sum_counts(app.position_counts) (
  sfunc = app.add_counts,
  stype = app.position_counts,
  initcond = '(0,0,0,0,0)'
);
comment on aggregate app.sum_counts(app.position_counts) is 'The votes of several pools together; zeros for none.';

-- A value lives only in the call that settles it.
create type app.pending_votes as (hub_id uuid, cast_hour timestamptz, counts app.position_counts);
comment on type app.pending_votes is
  'Unsealed counts of the votes on a post that were cast in one hour and are pending for one Hub.';

create type app.ranked_vote as (post_id uuid, user_id uuid, baseline integer, activity_at timestamptz, is_held boolean);
comment on type app.ranked_vote is
  'A vote and its rank (1-based) among the global votes on its post, null on a private post; and activity_at and '
  'is_held of app.fresh_votes.';

-- It holds neither times nor people.
create table app.vote_pools (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid references app.hubs (id) on delete cascade,
  scope_id uuid generated always as (coalesce(hub_id, post_id)) stored,
  counts app.position_counts not null default '(0,0,0,0,0)',
  constraint vote_pools_pkey primary key (post_id, scope_id),
  constraint vote_pools_counts_are_natural check (
    counts is not null
    and least(
      (counts).strong_left_count, (counts).left_count, (counts).neutral_count, (counts).right_count,
      (counts).strong_right_count
    ) >= 0
  )
);
comment on table app.vote_pools is
  'One row per post and scope: the number of votes for each position, except those still in app.vote_slots.';
comment on column app.vote_pools.hub_id is 'The Hub of the scope; null for the global scope.';
-- Planner statistics would keep former totals, which must not stay (docs/vote-secrecy.md).
alter table app.vote_pools alter column counts set statistics 0;
create index vote_pools_hub_id_idx on app.vote_pools (hub_id) where hub_id is not null;
-- No policy: definer functions read counts of posts that the caller sees (app.scope_totals).
alter table app.vote_pools enable row level security;
grant maintain on app.vote_pools to opine_worker;

-- Each fold empties it. No foreign keys, because the receipt has them.
create table app.fresh_votes (
  post_id uuid not null,
  user_id uuid,
  hub_count integer not null default 0,
  activity_at timestamptz,
  is_held boolean not null default false,
  cast_at timestamptz not null default app.now()
);
comment on table app.fresh_votes is
  'One row per vote since the last fold: the work that milestones and feeds still need.';
comment on column app.fresh_votes.user_id is
  'Null after a merge into an account that voted on the post too: the vote counts, but no milestones are counted from '
  'it.';
comment on column app.fresh_votes.hub_count is
  'The number of Hub sources (app.feed_events) to which the fold adds the vote.';
comment on column app.fresh_votes.activity_at is
  'The earliest time at which feeds may show the vote, which the fold records; null on a private post.';
comment on column app.fresh_votes.is_held is 'Whether feeds show the vote only with others (app.held_votes).';
comment on column app.fresh_votes.cast_at is
  'The order in which votes count towards milestones. Everything else knows the time of a vote only to the minute.';
create index fresh_votes_order_idx on app.fresh_votes ((hub_count > 200), cast_at);
alter table app.fresh_votes enable row level security;
grant maintain on app.fresh_votes to opine_worker;

-- The fold counts it. It names no post: staff reads how much the service is used (staff.numbers).
create table app.vote_hours (
  cast_hour timestamptz primary key,
  vote_count bigint not null,
  constraint vote_hours_cast_hour_is_one check (cast_hour = date_trunc('hour', cast_hour, 'UTC'))
);
comment on table app.vote_hours is 'One row per hour: the number of votes of the whole service, up to the last fold.';
alter table app.vote_hours enable row level security;

-- The fold inserts it.
create table app.held_votes (
  post_id uuid not null references app.posts (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  due_at timestamptz not null,
  released_at timestamptz,
  constraint held_votes_pkey primary key (post_id, user_id)
);
comment on table app.held_votes is
  'One row per vote that no feed shows yet, because too few others on the post would show with it (docs/product.md '
  'A8).';
comment on column app.held_votes.due_at is 'The earliest time at which feeds may show the vote.';
comment on column app.held_votes.released_at is
  'The time from which feeds show the vote. The row stays for an hour, until the profile of the voter counts the vote '
  '(app.vote_count).';
create index held_votes_user_id_idx on app.held_votes (user_id);
create index held_votes_due_at_idx on app.held_votes (due_at) where released_at is null;
create index held_votes_released_at_idx on app.held_votes (released_at) where released_at is not null;
alter table app.held_votes enable row level security;

create function app.author_milestone() returns integer language sql immutable
return 100;
comment on function app.author_milestone is
  'Returns at every how many votes on a post its author is notified (docs/product.md N6).';

-- An index has it, so who reads receipts executes it, and a new number needs reindex index
-- app.vote_receipts_milestones_idx.
create function app.voter_milestone() returns integer language sql immutable
return 500;
comment on function app.voter_milestone is
  'Returns at every how many votes after their own a voter is notified (docs/product.md N6).';
grant execute on function app.voter_milestone to anon, authenticated;

-- See docs/vote-secrecy.md.
create table app.vote_receipts (
  post_id uuid not null references app.posts (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  voted_at timestamptz not null,
  hub_ids uuid[] not null default '{}',
  baseline integer,
  constraint vote_receipts_pkey primary key (post_id, user_id),
  constraint vote_receipts_voted_at_is_coarse check (extract(second from voted_at) = 0)
);
comment on table app.vote_receipts is
  'One row per voter and post: the time to the minute, and the Hubs in which the vote counted; never the position.';
comment on column app.vote_receipts.hub_ids is
  'The Hubs in whose pools the vote counted. It counted in the global pool too unless the post is private. An array '
  'instead of rows, so that a vote in many Hubs costs no more than any other.';
comment on column app.vote_receipts.baseline is
  'The rank (1-based) of the vote among the global votes on the post: milestones of the voter are counted from it '
  '(docs/product.md N6). Null until the fold, and on private posts.';
create index vote_receipts_user_id_voted_at_idx on app.vote_receipts (user_id, voted_at);
create index vote_receipts_milestones_idx on app.vote_receipts (
  post_id, (baseline % app.voter_milestone()), baseline
) where baseline is not null;
alter table app.vote_receipts enable row level security;
grant select (post_id, user_id, voted_at) on app.vote_receipts to anon, authenticated;
grant maintain on app.vote_receipts to opine_worker;

-- Each fold empties it (app.fold_ballots).
create table app.pending_ballots (
  post_id uuid not null,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null
);
comment on table app.pending_ballots is
  'One row per vote since the last fold that may still count in Hubs into which the post is shared later: position and '
  'Hubs, sealed, without the voter.';
comment on column app.pending_ballots.key_id is 'The key that sealed it (app.key_id).';
create index pending_ballots_post_id_idx on app.pending_ballots (post_id);
alter table app.pending_ballots enable row level security;
grant maintain on app.pending_ballots to opine_worker;

-- Holds sealed app.position_counts, whose length does not depend on the counts.
create table app.pending_totals (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null,
  constraint pending_totals_pkey primary key (post_id, hub_id, cast_hour, key_id),
  constraint pending_totals_cast_hour_is_one check (cast_hour = date_trunc('hour', cast_hour, 'UTC'))
);
comment on table app.pending_totals is
  'One row per post, Hub, hour and key: the votes to add to the pool of the Hub if the post is shared into it before '
  'the deadline (docs/product.md V6, V7).';
comment on column app.pending_totals.key_id is 'The key that sealed it (app.key_id).';
create index pending_totals_hub_id_idx on app.pending_totals (hub_id);
create index pending_totals_cast_hour_idx on app.pending_totals (cast_hour);
alter table app.pending_totals enable row level security;
grant maintain on app.pending_totals to opine_worker;

-- The next fold promotes the votes pending there, unless the share did so itself. Shares have rows of their
-- own: pruning a common row could drop a concurrent share.
create table app.promotions (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade
);
comment on table app.promotions is 'One row per recent share of a post into a Hub.';
create index promotions_post_id_idx on app.promotions (post_id);
alter table app.promotions enable row level security;
grant maintain on app.promotions to opine_worker;

-- Each total from next_total to last_total may be a milestone of the author or of a voter.
create table app.milestones (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade,
  next_total integer not null,
  last_total integer not null,
  constraint milestones_are_ahead check (next_total <= last_total)
);
comment on table app.milestones is
  'One row per range of vote totals that a post has reached and app.fan_out_milestones has not processed.';
create index milestones_post_id_idx on app.milestones (post_id);
alter table app.milestones enable row level security;

-- It alternates every half minute, which is longer than a run of the worker takes. The fold takes the other
-- one.
create function app.slot_generation() returns smallint
language plpgsql stable set search_path = '' as $$
begin
  return (floor(extract(epoch from app.now()) / 30) % 2)::smallint;
end
$$;
comment on function app.slot_generation is 'Returns the partition of app.vote_slots in which votes count now.';

-- The fold empties one generation at a time. No foreign keys: each vote would look them up for each Hub, and
-- the fold skips deleted posts and Hubs.
create table app.vote_slots (
  generation smallint not null default app.slot_generation(),
  post_id uuid not null,
  hub_id uuid,
  scope_id uuid generated always as (coalesce(hub_id, post_id)) stored,
  slot integer not null,
  counts app.position_counts not null default '(0,0,0,0,0)',
  constraint vote_slots_pkey primary key (post_id, scope_id, slot, generation)
) partition by list (generation);

create table app.vote_slots_even partition of app.vote_slots for values in (0);

create table app.vote_slots_odd partition of app.vote_slots for values in (1);

comment on table app.vote_slots is
  'One row per post, scope, backend and generation: the votes counted since the last fold, as in app.vote_pools.';
comment on column app.vote_slots.generation is
  'The partition: votes alternate between two. Votes do not write into the one that rests, so the fold blocks no vote, '
  'and vacuum truncates the emptied file with all its former bytes.';

comment on table app.vote_slots_even is 'Slots of even generations.';

comment on table app.vote_slots_odd is 'Slots of odd generations.';

comment on column app.vote_slots.slot is
  'The process id of the backend that counted, so that concurrent votes do not wait for one row.';
-- As for app.vote_pools.
alter table app.vote_slots alter column counts set statistics 0;
-- No policy, as for app.vote_pools.
alter table app.vote_slots enable row level security;

alter table app.vote_slots_even enable row level security;

alter table app.vote_slots_odd enable row level security;

grant maintain on app.vote_slots, app.vote_slots_even, app.vote_slots_odd to opine_worker;
