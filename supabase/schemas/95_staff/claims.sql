create table staff.claims (
  target_id uuid primary key,
  claimed_by text not null,
  claimed_at timestamptz not null default app.now()
);
comment on table staff.claims is 'Who of staff looks into the reports of a person, post, comment, message or Hub: for an hour nobody else decides about them.';

alter table staff.claims enable row level security;
