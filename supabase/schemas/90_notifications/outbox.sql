create table app.outbox (
  notification_id uuid primary key,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  is_queued boolean not null default false,
  is_told boolean not null default false
)
-- Room for what is taken to be noted where the row is.
with (fillfactor = 50);
comment on table app.outbox is 'Notifications of which the stream has not been told yet, and devices neither: one row with each (spec.md "Delivery" 1), gone when all of them have been. No foreign key: it would be looked up for each row, and a row without its notification is passed over.';
comment on column app.outbox.is_queued is 'Whether devices have theirs already (app.pushes), as the stream alone is tried again.';
comment on column app.outbox.is_told is 'Whether the stream has been told, and devices are being sent theirs by the worker who told it.';
comment on column app.outbox.due_at is 'When it is to be tried next; of what a worker is sending, when that worker must have died.';

alter table app.outbox enable row level security;
