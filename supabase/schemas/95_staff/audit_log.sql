create table staff.audit_log (
  id uuid primary key default app.uuid_v7(),
  occurred_at timestamptz not null default app.now(),
  actor_email text,
  action text not null,
  details jsonb not null default '{}'
);
comment on table staff.audit_log is 'What staff did, and who tried to sign in as staff. Rows are only ever added.';
comment on column staff.audit_log.actor_email is 'Null where nobody is known: the ID token was not a good one.';

create index audit_log_occurred_at_idx on staff.audit_log (occurred_at);

alter table staff.audit_log enable row level security;
