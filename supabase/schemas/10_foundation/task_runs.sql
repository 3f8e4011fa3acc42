create table app.task_runs (
  name text primary key,
  started_at timestamptz not null
);
comment on table app.task_runs is 'When an edge function last started a task that is not due at each call. A worker keeps that by itself.';

alter table app.task_runs enable row level security;
