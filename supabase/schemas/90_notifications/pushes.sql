create table app.pushes (
  notification_id uuid not null,
  token_hash bytea not null,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  constraint pushes_pkey primary key (notification_id, token_hash)
);
comment on table app.pushes is 'Devices that have not been sent a notification yet: one row each, gone once that is settled. No foreign keys: a row without its notification or device is passed over.';
comment on column app.pushes.due_at is 'When a worker may take it (again): one that took it and died is followed by another then.';

create index pushes_due_at_idx on app.pushes (due_at);

alter table app.pushes enable row level security;
