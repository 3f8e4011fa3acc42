create table app.warmings (
  post_id uuid not null references app.posts (id) on delete cascade,
  warmed_at timestamptz not null default app.now(),
  warmed_by xid8 not null default pg_current_xact_id(),
  trending_before timestamptz not null
);
comment on table app.warmings is 'What trending_at of posts was before each time it changed within a day: so that a walk through trending keeps the order in which it began.';

create index warmings_post_id_idx on app.warmings (post_id, warmed_by);
create index warmings_warmed_at_idx on app.warmings (warmed_at);

alter table app.warmings enable row level security;
