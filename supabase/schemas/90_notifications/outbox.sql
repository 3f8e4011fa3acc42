create table app.outbox (
  notification_id uuid primary key,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  is_queued boolean not null default false
);
comment on table app.outbox is 'Notifications of which the stream has not been told yet, and devices neither: one row with each (spec.md "Delivery" 1), gone with the step that tells. No foreign key: it would be looked up for each row, and a row without its notification is passed over.';
comment on column app.outbox.is_queued is 'Whether devices have theirs already (app.pushes), as the stream alone is tried again.';
comment on column app.outbox.due_at is 'When it is to be tried next.';

alter table app.outbox enable row level security;
