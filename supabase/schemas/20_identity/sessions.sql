create table app.sessions (
  id uuid primary key default app.uuid_v7(),
  user_id uuid not null references app.users (id) on delete cascade,
  created_at timestamptz not null default app.now()
);
comment on table app.sessions is 'Live sessions. Ending one deletes it, and with it every token of it is dead at once.';

create index sessions_user_id_idx on app.sessions (user_id);

alter table app.sessions enable row level security;
