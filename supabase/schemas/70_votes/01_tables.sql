create type app.vote_position as enum ('strong_left', 'left', 'neutral', 'right', 'strong_right');
comment on type app.vote_position is 'The five positions of a slider, in order. No table has a column of this type: a position lives only in the call that counts it.';

create type app.position_counts as (
  strong_left_count bigint,
  left_count bigint,
  neutral_count bigint,
  right_count bigint,
  strong_right_count bigint
);
comment on type app.position_counts is 'The votes of a pool by position.';

create type app.pending_votes as (hub_id uuid, cast_hour timestamptz, counts app.position_counts);
comment on type app.pending_votes is 'Votes of an hour on a post that are pending for a Hub, opened. It lives only in the call that settles them.';

create type app.ranked_vote as (post_id uuid, user_id uuid, baseline integer);
comment on type app.ranked_vote is 'A vote, and the how many-th global one on its post it was; null on a private post.';

create table app.vote_pools (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid references app.hubs (id) on delete cascade,
  scope_id uuid generated always as (coalesce(hub_id, post_id)) stored,
  strong_left_count bigint not null default 0,
  left_count bigint not null default 0,
  neutral_count bigint not null default 0,
  right_count bigint not null default 0,
  strong_right_count bigint not null default 0,
  constraint vote_pools_pkey primary key (post_id, scope_id),
  constraint vote_pools_counts_are_natural check (
    least(strong_left_count, left_count, neutral_count, right_count, strong_right_count) >= 0
  )
);
comment on table app.vote_pools is 'How many votes each position of a post has in one scope, but for those still in app.vote_slots. Without times or people.';
comment on column app.vote_pools.hub_id is 'The Hub whose votes it counts; null: everybody''s.';

-- Statistics would keep totals of former times.
alter table app.vote_pools alter column strong_left_count set statistics 0;
alter table app.vote_pools alter column left_count set statistics 0;
alter table app.vote_pools alter column neutral_count set statistics 0;
alter table app.vote_pools alter column right_count set statistics 0;
alter table app.vote_pools alter column strong_right_count set statistics 0;
create index vote_pools_hub_id_idx on app.vote_pools (hub_id) where hub_id is not null;

-- No policy shows counts: app.pool_totals reads them as its owner, for posts that the caller sees.
alter table app.vote_pools enable row level security;
grant maintain on app.vote_pools to opine_worker;

create table app.fresh_votes (
  post_id uuid not null,
  user_id uuid,
  hub_count integer not null default 0,
  cast_at timestamptz not null default app.now()
);
comment on table app.fresh_votes is 'Votes since the last fold: what is still to be done about each, for milestones and for feeds. Emptied by each fold. No foreign keys, as the receipt has them.';
comment on column app.fresh_votes.user_id is 'Null where the voter became part of somebody who had voted too: it counts, and nobody''s milestones are counted from it.';
comment on column app.fresh_votes.hub_count is 'Into how many more streams of feeds it comes.';
comment on column app.fresh_votes.cast_at is 'In which order they count towards milestones. Nothing else knows it more precisely than to the minute.';
create index fresh_votes_order_idx on app.fresh_votes ((hub_count > 200), cast_at);
alter table app.fresh_votes enable row level security;
grant maintain on app.fresh_votes to opine_worker;

create table app.vote_receipts (
  post_id uuid not null references app.posts (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  voted_at timestamptz not null,
  hub_ids uuid[] not null default '{}',
  baseline integer,
  constraint vote_receipts_pkey primary key (post_id, user_id),
  constraint vote_receipts_voted_at_is_coarse check (extract(second from voted_at) = 0)
);
comment on table app.vote_receipts is 'Who voted on which post, to the minute, and in which Hubs that counted; never the position. See docs/vote-secrecy.md.';
comment on column app.vote_receipts.hub_ids is 'The Hubs in whose pools the vote counted; it counted in the global one too unless the post is private. No rows of their own, so that a vote in many Hubs is as quick as any.';
comment on column app.vote_receipts.baseline is 'The how many-th global vote on the post it was: what milestones of the voter are counted from (docs/product.md N6). Null until the fold, and of private posts.';
create index vote_receipts_user_id_idx on app.vote_receipts (user_id);
create index vote_receipts_milestones_idx on app.vote_receipts (post_id, (baseline % 500), baseline) where baseline is not null;
alter table app.vote_receipts enable row level security;
grant select (post_id, user_id, voted_at) on app.vote_receipts to anon, authenticated;
grant maintain on app.vote_receipts to opine_worker;

create table app.pending_ballots (
  post_id uuid not null,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null
);
comment on table app.pending_ballots is 'Votes since the last fold, as they will count in Hubs into which the post is shared later: position and Hubs, sealed, without the voter. Emptied by each fold (app.fold_ballots).';
comment on column app.pending_ballots.key_id is 'By which key it is sealed (app.key_id).';
create index pending_ballots_post_id_idx on app.pending_ballots (post_id);
alter table app.pending_ballots enable row level security;
grant maintain on app.pending_ballots to opine_worker;

create table app.pending_totals (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null,
  constraint pending_totals_pkey primary key (post_id, hub_id, cast_hour, key_id),
  constraint pending_totals_cast_hour_is_one check (cast_hour = date_trunc('hour', cast_hour, 'UTC'))
);
comment on table app.pending_totals is 'What the votes of an hour will add to the pool of a Hub if the post is shared into it in time (docs/product.md V6, V7): app.position_counts, sealed, of the same length whatever they count.';
comment on column app.pending_totals.key_id is 'By which key they are sealed (app.key_id).';
create index pending_totals_hub_id_idx on app.pending_totals (hub_id);
create index pending_totals_cast_hour_idx on app.pending_totals (cast_hour);
alter table app.pending_totals enable row level security;
grant maintain on app.pending_totals to opine_worker;

create table app.promotions (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade
);
comment on table app.promotions is 'Posts that were shared into Hubs of late: what is pending there is to be promoted by the next fold, where the share did not do so itself. A row a share: had they one together, what is pruned could be a share that came just then.';
create index promotions_post_id_idx on app.promotions (post_id);
alter table app.promotions enable row level security;
grant maintain on app.promotions to opine_worker;

create table app.milestones (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade,
  next_total integer not null,
  last_total integer not null,
  constraint milestones_are_ahead check (next_total <= last_total)
);
comment on table app.milestones is 'Totals that posts have reached and nobody was told of yet: each from next_total to last_total may be a milestone of somebody (app.fan_out_milestones).';
create index milestones_post_id_idx on app.milestones (post_id);
alter table app.milestones enable row level security;

create function app.slot_generation()
returns smallint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (floor(extract(epoch from app.now()) / 30) % 2)::smallint;
end
$$;
comment on function app.slot_generation is 'Into which half of app.vote_slots votes count now: the other one every half minute, which is longer than a turn of the worker takes. The one that rests is folded.';

create table app.vote_slots (
  generation smallint not null default app.slot_generation(),
  post_id uuid not null,
  hub_id uuid,
  scope_id uuid generated always as (coalesce(hub_id, post_id)) stored,
  slot integer not null,
  strong_left_count bigint not null default 0,
  left_count bigint not null default 0,
  neutral_count bigint not null default 0,
  right_count bigint not null default 0,
  strong_right_count bigint not null default 0,
  constraint vote_slots_pkey primary key (post_id, scope_id, slot, generation)
) partition by list (generation);

create table app.vote_slots_even partition of app.vote_slots for values in (0);

create table app.vote_slots_odd partition of app.vote_slots for values in (1);
comment on table app.vote_slots is 'What was counted since the last fold, as app.vote_pools. Emptied by the fold, half by half. No foreign keys: each would be looked up for each vote and Hub, and the fold passes over what has gone.';
comment on column app.vote_slots.generation is 'Which of two tables it is in, by turns: into one nobody writes, so that the fold is in nobody''s way, and that once it is empty Postgres cuts its file off, with all that was ever in it.';
comment on table app.vote_slots_even is 'Slots of even generations.';
comment on table app.vote_slots_odd is 'Slots of odd generations.';
comment on column app.vote_slots.slot is 'Which backend counted, by its process id, so that votes at once do not wait for one row.';

-- Statistics would keep former counts.
alter table app.vote_slots alter column strong_left_count set statistics 0;
alter table app.vote_slots alter column left_count set statistics 0;
alter table app.vote_slots alter column neutral_count set statistics 0;
alter table app.vote_slots alter column right_count set statistics 0;
alter table app.vote_slots alter column strong_right_count set statistics 0;

-- No policy, as with pools.
alter table app.vote_slots enable row level security;
alter table app.vote_slots_even enable row level security;
alter table app.vote_slots_odd enable row level security;
grant maintain on app.vote_slots, app.vote_slots_even, app.vote_slots_odd to opine_worker;
