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
comment on table app.decisions is 'One row per removal or suspension by staff (docs/product.md S18): what the people concerned are notified of.';
comment on column app.decisions.target_id is 'No foreign key: the decision outlives its target.';
comment on column app.decisions.excerpt is 'The beginning of the removed text, or the name of the person or Hub.';
comment on column app.decisions.decided_by is 'The member of staff, as in staff.audit_log. Nobody else learns it.';
comment on column app.decisions.reversed_at is 'Time when staff took the decision back, after an appeal or without one.';
create index decisions_target_id_idx on app.decisions (target_id);
create index decisions_decided_at_idx on app.decisions (decided_at);
alter table app.decisions enable row level security;
grant select (id, action, reason, statement, target_kind, target_id, excerpt, decided_at) on app.decisions to authenticated;

create table app.decision_subjects (
  decision_id uuid not null references app.decisions (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  constraint decision_subjects_pkey primary key (decision_id, user_id)
);
comment on table app.decision_subjects is 'One row per decision and person concerned: the author, the suspended person, or each admin of the suspended Hub.';
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
  constraint appeals_are_decided_whole check (num_nonnulls(statement, decided_by, decided_at) = case when state = 'open' then 0 else 3 end)
);
comment on table app.appeals is 'One row per appeal of a person concerned against a decision (docs/product.md S20, S21).';
comment on column app.appeals.user_id is 'Null after account deletion: the appeal stays with its decision.';
create index appeals_user_id_idx on app.appeals (user_id);
create index appeals_open_idx on app.appeals (created_at, decision_id) where state = 'open';
alter table app.appeals enable row level security;
grant select (decision_id, user_id, text, created_at, state, decided_at) on app.appeals to authenticated;
grant insert (decision_id, user_id, text) on app.appeals to authenticated;

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
comment on table app.removed_contents is 'One row per comment or message that staff removed, until it can no longer be restored (docs/product.md S22). A removed post stays in app.posts.';
comment on column app.removed_contents.post_id is 'The post of a comment; null for a message, whose row stays without content.';
create index removed_contents_author_id_idx on app.removed_contents (author_id);
create index removed_contents_post_id_idx on app.removed_contents (post_id);
create index removed_contents_asset_id_idx on app.removed_contents (asset_id);
alter table app.removed_contents enable row level security;

create trigger removed_contents_release_assets_after_delete after delete on app.removed_contents
referencing old table as former
for each statement execute function app.release_assets('asset_id');
