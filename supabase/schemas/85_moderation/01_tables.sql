create type app.report_reason as enum (
  'spam', 'harassment', 'hate', 'violence', 'nudity', 'misinformation', 'impersonation', 'other'
);
comment on type app.report_reason is 'Why a person reports a target (docs/product.md S7).';

create type app.report_state as enum ('open', 'actioned', 'dismissed');
comment on type app.report_state is
  'open until staff decides: actioned if it removed or suspended the target, else dismissed (docs/product.md S19).';

create type app.target_kind as enum ('user', 'post', 'comment', 'message', 'hub');
comment on type app.target_kind is 'What a report or a decision is about.';

-- A report notifies no one.
create table app.reports (
  id uuid primary key default app.uuid_v7(),
  reporter_id uuid references app.users (id) on delete set null,
  user_id uuid references app.users (id) on delete cascade,
  post_id uuid,
  hub_id uuid,
  comment_id uuid,
  message_id uuid,
  target_id uuid generated always as (coalesce(user_id, post_id, hub_id, comment_id, message_id)) stored,
  reason app.report_reason not null,
  details text,
  state app.report_state not null default 'open',
  is_by_service boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint reports_have_one_target check (num_nonnulls(user_id, post_id, hub_id, comment_id, message_id) = 1),
  constraint reports_details_length check (char_length(details) between 1 and 1000),
  constraint reports_details_visible check (app.has_visible_character(details))
);
comment on table app.reports is
  'One row per report of a user, post, Hub, comment or message to staff (docs/product.md S7, S8).';
comment on column app.reports.post_id is 'No foreign key: deleting the post does not settle the report.';
comment on column app.reports.hub_id is 'No foreign key, as for post_id: a closed Hub is removed.';
comment on column app.reports.comment_id is
  'No foreign key, as for post_id: deleting a comment does not remove reports of it.';
comment on column app.reports.message_id is
  'No foreign key, as for post_id: a message goes with its Hub, or with the post of its discussion.';
comment on column app.reports.target_id is
  'The one target that is set. Staff decides about all open reports of a target at once.';
comment on column app.reports.reporter_id is 'Null after account deletion of the reporter: the report stays.';
comment on column app.reports.is_by_service is
  'Whether the service reported the target, because it holds a blocked term (docs/product.md S24).';
create unique index reports_open_by_service_key on app.reports (target_id) where state = 'open' and is_by_service;
create unique index reports_open_key on app.reports (reporter_id, target_id) where state = 'open';
create index reports_open_idx on app.reports (target_id, id) where state = 'open';
create index reports_reporter_id_idx on app.reports (reporter_id);
create index reports_user_id_idx on app.reports (user_id);
create index reports_post_id_idx on app.reports (post_id);
create index reports_hub_id_idx on app.reports (hub_id);
create index reports_comment_id_idx on app.reports (comment_id);
create index reports_message_id_idx on app.reports (message_id);
alter table app.reports enable row level security;
grant select on app.reports to authenticated;
grant insert (
  reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason, details
) on app.reports to authenticated;

-- A task prunes it.
create table app.evidence (
  report_id uuid primary key references app.reports (id) on delete cascade,
  author_id uuid references app.users (id) on delete set null,
  name text,
  content text not null,
  closed_at timestamptz
);
comment on table app.evidence is
  'One row per report: what was reported, as it was then, for staff alone (docs/product.md S25).';
comment on column app.evidence.author_id is
  'The reported person, or the author; null for a Hub. It outlives the account.';
comment on column app.evidence.name is 'The username of that person, or the name of the Hub.';
comment on column app.evidence.content is 'All texts of the target, alt texts included.';
comment on column app.evidence.closed_at is 'Time when the report was closed; null while it is open.';
create index evidence_author_id_idx on app.evidence (author_id);
create index evidence_closed_at_idx on app.evidence (closed_at) where closed_at is not null;
alter table app.evidence enable row level security;

create table app.evidence_assets (
  report_id uuid not null references app.evidence (report_id) on delete cascade,
  -- No use of the asset (app.delete_unused_assets); app.keep_evidence_asset keeps it.
  asset_id uuid not null references app.assets (id) on delete cascade,
  constraint evidence_assets_pkey primary key (report_id, asset_id)
);
comment on table app.evidence_assets is
  'One row per open report and file of what was reported: the file stays so long (docs/product.md S25).';
create index evidence_assets_asset_id_idx on app.evidence_assets (asset_id);
alter table app.evidence_assets enable row level security;

create trigger evidence_assets_release_after_delete after delete on app.evidence_assets
referencing old table as former
for each statement execute function app.delete_former_assets('asset_id');

create type app.decision_action as enum ('content_removed', 'account_suspended', 'hub_suspended');
comment on type app.decision_action is 'What staff did (docs/product.md S18).';

create type app.appeal_state as enum ('open', 'upheld', 'reversed');
comment on type app.appeal_state is 'open until another member of staff upholds or reverses the decision.';

create table app.decisions (
  id uuid primary key default app.uuid_v7(),
  action app.decision_action not null,
  reason app.report_reason not null,
  statement text not null,
  target_kind app.target_kind not null,
  target_id uuid not null,
  excerpt text not null default '',
  decided_by text not null,
  decided_at timestamptz not null default app.now(),
  reversed_at timestamptz,
  constraint decisions_statement_length check (char_length(statement) between 1 and 2000),
  constraint decisions_statement_visible check (app.has_visible_character(statement)),
  constraint decisions_excerpt_length check (char_length(excerpt) <= 200)
);
comment on table app.decisions is
  'One row per removal or suspension by staff (docs/product.md S18): what the people concerned are notified of.';
comment on column app.decisions.target_id is 'No foreign key: the decision outlives its target.';
comment on column app.decisions.excerpt is 'The beginning of the removed text, or the name of the person or Hub.';
comment on column app.decisions.decided_by is 'The member of staff, as in staff.audit_log. Nobody else learns it.';
comment on column app.decisions.reversed_at is
  'Time when staff took the decision back, after an appeal or without one.';
create index decisions_target_id_idx on app.decisions (target_id);
create index decisions_decided_at_idx on app.decisions (decided_at);
alter table app.decisions enable row level security;
grant select (
  id, action, reason, statement, target_kind, target_id, excerpt, decided_at
) on app.decisions to authenticated;

create table app.decision_subjects (
  decision_id uuid not null references app.decisions (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  constraint decision_subjects_pkey primary key (decision_id, user_id)
);
comment on table app.decision_subjects is
  'One row per decision and person concerned: the author, the suspended person, or each admin of the suspended Hub.';
create index decision_subjects_user_id_idx on app.decision_subjects (user_id, decision_id);
alter table app.decision_subjects enable row level security;
grant select on app.decision_subjects to authenticated;

create table app.appeals (
  decision_id uuid primary key references app.decisions (id) on delete cascade,
  user_id uuid references app.users (id) on delete set null,
  text text not null,
  created_at timestamptz not null default app.now(),
  state app.appeal_state not null default 'open',
  statement text,
  decided_by text,
  decided_at timestamptz,
  constraint appeals_text_length check (char_length(text) between 1 and 2000),
  constraint appeals_text_visible check (app.has_visible_character(text)),
  constraint appeals_statement_length check (char_length(statement) between 1 and 2000),
  constraint appeals_are_decided_whole check (
    num_nonnulls(statement, decided_by, decided_at) = case when state = 'open' then 0 else 3 end
  )
);
comment on table app.appeals is
  'One row per appeal of a person concerned against a decision (docs/product.md S20, S21).';
comment on column app.appeals.user_id is 'Null after account deletion: the appeal stays with its decision.';
create index appeals_user_id_idx on app.appeals (user_id);
create index appeals_open_idx on app.appeals (created_at, decision_id) where state = 'open';
alter table app.appeals enable row level security;
grant select (decision_id, user_id, text, created_at, state, decided_at) on app.appeals to authenticated;
grant insert (decision_id, user_id, text) on app.appeals to authenticated;

-- A removed post stays in app.posts.
create table app.removed_contents (
  decision_id uuid primary key references app.decisions (id) on delete cascade,
  author_id uuid not null references app.users (id) on delete cascade,
  content_id uuid not null,
  post_id uuid references app.posts (id) on delete cascade,
  parent_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  alt_text text,
  created_at timestamptz not null
);
comment on table app.removed_contents is
  'One row per comment or message that staff removed, until it can no longer be restored (docs/product.md S22).';
comment on column app.removed_contents.post_id is
  'The post of a comment; null for a message, whose row stays without content.';
create index removed_contents_author_id_idx on app.removed_contents (author_id);
create index removed_contents_post_id_idx on app.removed_contents (post_id);
create index removed_contents_asset_id_idx on app.removed_contents (asset_id);
alter table app.removed_contents enable row level security;

create trigger removed_contents_release_assets_after_delete after delete on app.removed_contents
referencing old table as former
for each statement execute function app.delete_former_assets('asset_id');

-- Each is a role of Postgres, staff_<role>. support looks up accounts, moderator also decides reports, admin
-- may do everything.
create type staff.role as enum ('support', 'moderator', 'admin');
comment on type staff.role is 'Roles of staff.';

create table staff.allowed_emails (
  email text primary key,
  role staff.role not null default 'moderator',
  added_at timestamptz not null default app.now(),
  constraint allowed_emails_email_is_lower_case check (email = lower(email))
);
comment on table staff.allowed_emails is
  'One row per e-mail that may sign in as staff, besides those of the configuration.';
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

-- Append-only.
create table staff.audit_log (
  id uuid primary key default app.uuid_v7(),
  occurred_at timestamptz not null default app.now(),
  actor_email text,
  action text not null,
  details jsonb not null default '{}'
);
comment on table staff.audit_log is 'One row per action of staff or attempt to sign in as staff (docs/product.md S6).';
comment on column staff.audit_log.actor_email is 'Null if unknown, because the ID token was invalid.';
create index audit_log_occurred_at_idx on staff.audit_log (occurred_at);
alter table staff.audit_log enable row level security;

-- No other staff decides about its reports for an hour.
create table staff.claims (
  target_id uuid primary key,
  claimed_by text not null,
  claimed_at timestamptz not null default app.now()
);
comment on table staff.claims is
  'One row per claimed report target (user, post, comment, message or Hub) (docs/product.md S9).';
alter table staff.claims enable row level security;

create function staff.audit(p_actor_email text, p_action text, p_details jsonb default '{}') returns void
language sql set search_path = ''
begin atomic
  insert into staff.audit_log (actor_email, action, details) values (p_actor_email, p_action, p_details);
end;
comment on function staff.audit is 'Writes an action or attempt of staff to the audit log.';

-- Errors: REASON_MISSING (the reason is empty).
create function staff.record(p_action text, p_reason text, p_details jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if coalesce(btrim(p_reason), '') = '' then
    raise exception using errcode = 'PT422', message = 'REASON_MISSING';
  end if;
  perform staff.audit(staff.actor(), p_action, p_details || jsonb_build_object('reason', btrim(p_reason)));
end
$$;
comment on function staff.record is
  'Writes an action of the current member of staff, and its reason, to the audit log.';

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

alter table app.events add constraint events_decision_id_fkey foreign key (decision_id)
references app.decisions (id) on delete cascade;
