create table app.departures (
  user_id uuid primary key references app.users (id) on delete cascade,
  merged_into_id uuid references app.users (id) on delete set null,
  departed_at timestamptz not null default app.now(),
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0
);
comment on table app.departures is 'Accounts that have ended and of which something is left to remove, or to move where they were merged: the worker''s list. What their posts say is hidden as long as they are on it.';
comment on column app.departures.due_at is 'When the worker may take it (again): a worker that took it and died is followed by another then.';

create index departures_due_at_idx on app.departures (due_at);
create index departures_merged_into_id_idx on app.departures (merged_into_id);

alter table app.departures enable row level security;

create policy departures_select on app.departures for select to anon, authenticated using (true);

grant select (user_id, departed_at) on app.departures to anon, authenticated;
