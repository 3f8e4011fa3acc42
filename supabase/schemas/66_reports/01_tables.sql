create type app.report_reason as enum (
  'spam', 'harassment', 'hate', 'violence', 'nudity', 'misinformation', 'impersonation', 'other'
);
comment on type app.report_reason is 'Why a person reports a target (docs/product.md S7).';

create type app.report_state as enum ('open', 'actioned', 'dismissed');
comment on type app.report_state is 'open until staff decides: actioned if it removed or suspended the target, else dismissed (docs/product.md S19).';

create type app.target_kind as enum ('user', 'post', 'comment', 'message', 'hub');
comment on type app.target_kind is 'What a report or a decision is about.';

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
comment on table app.reports is 'One row per report of a user, post, Hub, comment or message to staff (docs/product.md S7, S8). A report notifies no one.';
comment on column app.reports.post_id is 'No foreign key: deleting the post does not settle the report.';
comment on column app.reports.hub_id is 'No foreign key, as for post_id: a closed Hub is removed.';
comment on column app.reports.comment_id is 'No foreign key, as for post_id: deleting a comment does not remove reports of it.';
comment on column app.reports.message_id is 'No foreign key, as for post_id: a message goes with its Hub, or with the post of its discussion.';
comment on column app.reports.target_id is 'The one target that is set. Staff decides about all open reports of a target at once.';
comment on column app.reports.reporter_id is 'Null after account deletion of the reporter: the report stays.';
comment on column app.reports.is_by_service is 'Whether the service reported the target, because it holds a blocked term (docs/product.md S24).';
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
grant insert (reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason, details) on app.reports to authenticated;

create table app.evidence (
  report_id uuid primary key references app.reports (id) on delete cascade,
  author_id uuid references app.users (id) on delete set null,
  name text,
  content text not null,
  closed_at timestamptz
);
comment on table app.evidence is
  'One row per report: what was reported, as it was then, for staff alone (docs/product.md S25). A task prunes it.';
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
  asset_id uuid not null references app.assets (id) on delete restrict,
  constraint evidence_assets_pkey primary key (report_id, asset_id)
);
comment on table app.evidence_assets is
  'One row per open report and file of what was reported: the file stays so long (docs/product.md S25).';
create index evidence_assets_asset_id_idx on app.evidence_assets (asset_id);
alter table app.evidence_assets enable row level security;

create trigger evidence_assets_release_after_delete after delete on app.evidence_assets
referencing old table as former
for each statement execute function app.release_assets('asset_id');
