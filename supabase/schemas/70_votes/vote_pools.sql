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
