create table app.sessions (
  id uuid primary key default app.uuid_v7(),
  user_id uuid not null references app.users (id) on delete cascade,
  device_kind text not null default 'other',
  created_at timestamptz not null default app.now(),
  last_used_at timestamptz not null default app.now(),
  constraint sessions_device_kind_is_known check (device_kind in ('ios', 'android', 'web', 'other'))
);
comment on table app.sessions is 'Live sessions. Ending one deletes it, and with it every token of it is dead at once.';
comment on column app.sessions.last_used_at is 'When it was begun or last refreshed: an access token lives for 15 minutes, so that this is at most so far behind, without a write for each request.';

create index sessions_user_id_idx on app.sessions (user_id);

alter table app.sessions enable row level security;

create policy sessions_select on app.sessions for select to authenticated
using (user_id = (select app.user_id()));

create policy sessions_delete on app.sessions for delete to authenticated
using (user_id = (select app.user_id()));

grant select, delete on app.sessions to authenticated;
