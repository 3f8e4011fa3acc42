create table app.vote_pools (
  post_id uuid not null references app.posts (id) on delete cascade,
  slot integer not null,
  strong_left_count bigint not null default 0,
  left_count bigint not null default 0,
  neutral_count bigint not null default 0,
  right_count bigint not null default 0,
  strong_right_count bigint not null default 0,
  constraint vote_pools_pkey primary key (post_id, slot),
  constraint vote_pools_counts_are_natural check (
    least(strong_left_count, left_count, neutral_count, right_count, strong_right_count) >= 0
  )
);
comment on table app.vote_pools is 'How many votes each position of a post has: the sum over its slots. Without times or people.';
comment on column app.vote_pools.slot is 'Which backend counted, by its process id, so that votes at once do not wait for one row; 0 is the base, into which app.fold_votes moves the others.';

create index vote_pools_slots_idx on app.vote_pools (post_id) where slot <> 0;

alter table app.vote_pools enable row level security;

create policy vote_pools_select on app.vote_pools for select to anon, authenticated
using (exists (select from app.posts as p where p.id = vote_pools.post_id));

grant select on app.vote_pools to anon, authenticated;
