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
