create table staff.allowed_emails (
  email text primary key,
  role staff.role not null default 'moderator',
  added_at timestamptz not null default app.now(),
  constraint allowed_emails_email_is_lower_case check (email = lower(email))
);
comment on table staff.allowed_emails is 'Who may sign in as staff, beside those whom the configuration names.';

alter table staff.allowed_emails enable row level security;
