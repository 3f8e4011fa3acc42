create type staff.role as enum ('support', 'moderator', 'admin');
comment on type staff.role is 'Roles of staff. support looks up accounts, moderator also decides reports, admin may do everything. Each is a role of Postgres, staff_<role>.';

create table staff.allowed_emails (
  email text primary key,
  role staff.role not null default 'moderator',
  added_at timestamptz not null default app.now(),
  constraint allowed_emails_email_is_lower_case check (email = lower(email))
);
comment on table staff.allowed_emails is 'One row per e-mail that may sign in as staff, besides those of the configuration.';
alter table staff.allowed_emails enable row level security;

create table staff.logins (
  login text primary key,
  email text not null references staff.allowed_emails (email) on delete cascade
);
comment on table staff.logins is
  'One row per SQL login of a person on the list: what the login does, the person does (docs/product.md S21).';
create index logins_email_idx on staff.logins (email);
alter table staff.logins enable row level security;

create table staff.sessions (
  token_hash bytea primary key,
  email text not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  constraint sessions_token_hash_is_sha256 check (length(token_hash) = 32)
);
comment on table staff.sessions is 'One row per staff session, identified by the SHA-256 of its cookie''s token.';
create index sessions_expires_at_idx on staff.sessions (expires_at);
alter table staff.sessions enable row level security;

create table staff.audit_log (
  id uuid primary key default app.uuid_v7(),
  occurred_at timestamptz not null default app.now(),
  actor_email text,
  action text not null,
  details jsonb not null default '{}'
);
comment on table staff.audit_log is 'One row per action of staff or attempt to sign in as staff. Append-only (docs/product.md S6).';
comment on column staff.audit_log.actor_email is 'Null if unknown, because the ID token was invalid.';
create index audit_log_occurred_at_idx on staff.audit_log (occurred_at);
alter table staff.audit_log enable row level security;

create table staff.claims (
  target_id uuid primary key,
  claimed_by text not null,
  claimed_at timestamptz not null default app.now()
);
comment on table staff.claims is 'One row per claimed report target (user, post, comment, message or Hub). No other staff decides about its reports for an hour (docs/product.md S9).';
alter table staff.claims enable row level security;

create function staff.audit(p_actor_email text, p_action text, p_details jsonb default '{}') returns void
language sql set search_path = ''
begin atomic
  insert into staff.audit_log (actor_email, action, details) values (p_actor_email, p_action, p_details);
end;
comment on function staff.audit is 'Writes an action or attempt of staff to the audit log.';

create function staff.record(p_action text, p_reason text, p_details jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if coalesce(btrim(p_reason), '') = '' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform staff.audit(staff.actor(), p_action, p_details || jsonb_build_object('reason', btrim(p_reason)));
end
$$;
comment on function staff.record is 'Writes an action of the current member of staff, and its reason, to the audit log. Errors: REASON_MISSING (the reason is empty).';

-- Returns the current member of staff: the e-mail of the staff session behind a request, else that of the
-- database login, else the login.
create function staff.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  -- A direct login could set any claims.
  return case
    when session_user = 'opine_gateway' then nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
    else coalesce((select l.email from staff.logins as l where l.login = session_user), session_user::text)
  end;
end
$$;
comment on function staff.actor is
  'Returns the current member of staff, as the audit log names them (docs/product.md S6).';
grant execute on function staff.actor to staff_support;
