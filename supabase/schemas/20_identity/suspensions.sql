create table app.suspensions (
  user_id uuid primary key references app.users (id) on delete cascade,
  suspended_at timestamptz not null default app.now()
);
comment on table app.suspensions is 'Accounts that staff has suspended, until staff restores them: nobody signs in to them, and what they say and do is hidden. Who did it, and why, is in staff.audit_log.';

alter table app.suspensions enable row level security;

create policy suspensions_select on app.suspensions for select to anon, authenticated using (true);

grant select on app.suspensions to anon, authenticated;
