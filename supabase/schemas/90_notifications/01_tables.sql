create type app.event_type as enum (
  'user_followed',
  'hub_invite_received',
  'hub_join_request_created',
  'hub_join_request_approved',
  'hub_join_request_rejected',
  'hub_member_joined',
  'hub_member_removed',
  'hub_role_changed',
  'hub_post_created',
  'post_shared_to_hub',
  'post_reposted',
  'post_shared_to_feed',
  'post_commented',
  'post_vote_milestone',
  'post_voted',
  'followed_user_posted'
);
comment on type app.event_type is 'What happened, by the type of the notifications that come of it (docs/product.md N3). Of post_voted there are old ones alone.';

create type app.audience as enum ('everybody', 'hub_ready', 'hub_member', 'target_member', 'nobody');
comment on type app.audience is 'What a recipient must be to see a notification (docs/product.md N8, N9): nothing more; Hub-ready; an active member of its Hub as well; one of a Hub that its post is for. What is malformed is for nobody.';

create type app.device_platform as enum ('android', 'ios');
comment on type app.device_platform is 'Whose push service a device token is of (docs/product.md N21).';

create table app.events (
  id uuid primary key default app.uuid_v7(),
  type app.event_type not null,
  actor_id uuid references app.users (id) on delete cascade,
  subject_id uuid references app.users (id) on delete cascade,
  hub_id uuid references app.hubs (id) on delete cascade,
  post_id uuid references app.posts (id) on delete cascade,
  comment_id uuid references app.comments (id) on delete cascade,
  invitation_id uuid references app.hub_invitations (id) on delete cascade,
  join_request_id uuid references app.join_requests (id) on delete cascade,
  milestone_total integer,
  milestone_count integer,
  occurred_at timestamptz not null default app.now(),
  constraint events_milestones_are_counted check (num_nonnulls(milestone_total, milestone_count) = case when type = 'post_vote_milestone' then 2 else 0 end)
);
comment on table app.events is 'What happened that people are to be notified of, written in the transaction in which it did (docs/product.md N3, N14).';
comment on column app.events.actor_id is 'Whose act it was; null where it followed from the end of an account, and of milestones.';
comment on column app.events.subject_id is 'Whom it happened to: who is followed, asks, joins, is removed or has a new role; whose milestone it is.';
comment on column app.events.milestone_count is 'Of a milestone: how many of milestone_total the subject is told of, all as the author, those since their own vote as a voter.';
create index events_actor_id_idx on app.events (actor_id);
create index events_subject_id_idx on app.events (subject_id);
create index events_hub_id_idx on app.events (hub_id);
create index events_post_id_idx on app.events (post_id);
create index events_comment_id_idx on app.events (comment_id);
create index events_invitation_id_idx on app.events (invitation_id);
create index events_join_request_id_idx on app.events (join_request_id);
create unique index events_milestone_key on app.events (post_id, subject_id, milestone_total, milestone_count) where type = 'post_vote_milestone';
alter table app.events enable row level security;

create table app.notifications (
  id uuid primary key default app.uuid_v7(),
  event_id uuid not null references app.events (id) on delete cascade,
  recipient_id uuid not null,
  audience app.audience not null,
  scope_id uuid not null,
  actor_id uuid,
  author_id uuid,
  created_at timestamptz not null default app.now(),
  read_at timestamptz,
  constraint notifications_event_id_recipient_id_key unique (event_id, recipient_id)
);
comment on table app.notifications is 'The inbox: who was told of which event, and has read it or not. What happened stands in the event. Rows that a recipient may not see at the moment stay (app.visible_notifications).';
comment on column app.notifications.recipient_id is 'No foreign key: each recipient''s account would be locked when they are told, and accounts are never deleted.';
comment on column app.notifications.scope_id is 'The Hub where audience is hub_member, else the recipient: what the recipient sees or does not see together.';
comment on column app.notifications.actor_id is 'As the event says. Here too, and without a foreign key, so that what a block hides is found by an index.';
comment on column app.notifications.author_id is 'Whose the post is, where that is neither the recipient nor the actor; likewise.';
create index notifications_scope_idx on app.notifications (recipient_id, audience, scope_id, created_at desc, id desc);
create index notifications_unread_scope_idx on app.notifications (recipient_id, audience, scope_id, created_at desc, id desc)
where read_at is null;
create index notifications_unread_actor_idx on app.notifications (recipient_id, actor_id)
where read_at is null and actor_id is not null;
create index notifications_unread_author_idx on app.notifications (recipient_id, author_id)
where read_at is null and author_id is not null;
alter table app.notifications enable row level security;

create table app.inbox_counts (
  user_id uuid not null,
  audience app.audience not null,
  scope_id uuid not null,
  unread_count integer not null,
  change_count bigint not null,
  is_folded boolean not null default false
);
comment on table app.inbox_counts is 'How many notifications of a scope somebody has not read, and how often their inbox has changed: sums of rows, of which triggers add one with each change, so that nobody who is told of something waits for anybody. The worker folds them. No foreign key: it would be looked up for each row, and the notifications have one.';
comment on column app.inbox_counts.unread_count is 'Whether the recipient may see them or not: that is asked when they are read (app.inbox_state).';
comment on column app.inbox_counts.change_count is 'The sum of all is a version that only grows (docs/product.md N11).';
create unique index inbox_counts_folded_key on app.inbox_counts (user_id, audience, scope_id) where is_folded;
create index inbox_counts_user_id_idx on app.inbox_counts (user_id);
create index inbox_counts_unfolded_idx on app.inbox_counts (user_id) where not is_folded;
alter table app.inbox_counts enable row level security;

create table app.fan_outs (
  event_id uuid primary key references app.events (id) on delete cascade,
  after_user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  turn_count integer not null default 0
);
comment on table app.fan_outs is 'Events of which too many are to be told for the request in which they happened: the worker''s list.';
comment on column app.fan_outs.turn_count is 'How often it had its turn: what is for a million does not keep what is for a thousand waiting.';
comment on column app.fan_outs.after_user_id is 'The last who was told, in the order of ids.';
create index fan_outs_turn_count_idx on app.fan_outs (turn_count, event_id);
alter table app.fan_outs enable row level security;

create table app.outbox (
  notification_id uuid primary key,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  is_queued boolean not null default false,
  is_told boolean not null default false
)
-- Room for what is taken to be noted where the row is.
with (fillfactor = 50);
comment on table app.outbox is 'Notifications of which the stream has not been told yet, and devices neither: one row with each (docs/product.md N14, N15), gone when all of them have been. No foreign key: it would be looked up for each row, and a row without its notification is passed over.';
comment on column app.outbox.is_queued is 'Whether devices have theirs already (app.pushes), as the stream alone is tried again.';
comment on column app.outbox.is_told is 'Whether the stream has been told, and devices are being sent theirs by the worker who told it.';
comment on column app.outbox.due_at is 'When it is to be tried next; of what a worker is sending, when that worker must have died.';
alter table app.outbox enable row level security;

create table app.pushes (
  notification_id uuid not null,
  token_hash bytea not null,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  constraint pushes_pkey primary key (notification_id, token_hash)
);
comment on table app.pushes is 'Devices that have not been sent a notification yet: one row each, gone once that is settled. No foreign keys: a row without its notification or device is passed over.';
comment on column app.pushes.due_at is 'When a worker may take it (again): one that took it and died is followed by another then.';
create index pushes_due_at_idx on app.pushes (due_at);
alter table app.pushes enable row level security;

create table app.device_tokens (
  token_hash bytea primary key,
  user_id uuid not null references app.users (id) on delete cascade,
  session_id uuid references app.sessions (id) on delete cascade,
  platform app.device_platform not null,
  sealed_token bytea not null,
  refreshed_at timestamptz not null default app.now(),
  constraint device_tokens_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint device_tokens_sealed_token_length check (length(sealed_token) between 28 and 20000)
);
comment on table app.device_tokens is 'Where push messages go (docs/product.md N21, N22). A token is known by its SHA-256, and kept sealed by a key that the database does not have.';
comment on column app.device_tokens.session_id is 'The session that registered it, and with whose end it goes. Null where a merge has moved it, until the sign-in that merges takes it over.';
create index device_tokens_user_id_refreshed_at_idx on app.device_tokens (user_id, refreshed_at);
create index device_tokens_session_id_idx on app.device_tokens (session_id);
create index device_tokens_refreshed_at_idx on app.device_tokens (refreshed_at);
alter table app.device_tokens enable row level security;
grant select (token_hash, user_id, session_id, platform, refreshed_at) on app.device_tokens to authenticated;
grant delete on app.device_tokens to authenticated;

create table app.dead_letters (
  id uuid primary key default app.uuid_v7(),
  notification_id uuid not null references app.notifications (id) on delete cascade,
  token_hash bytea,
  is_of_stream boolean not null generated always as (token_hash is null) stored,
  attempt_count integer not null,
  failure text not null,
  died_at timestamptz not null default app.now(),
  constraint dead_letters_failure_length check (char_length(failure) between 1 and 200)
);
comment on table app.dead_letters is 'What could not be sent however often it was tried, for staff to see and to requeue (staff.dead_letters).';
comment on column app.dead_letters.token_hash is 'The device; null for the stream.';
comment on column app.dead_letters.failure is 'The code of the last failure.';
create unique index dead_letters_notification_id_token_hash_key on app.dead_letters (notification_id, token_hash) nulls not distinct;
create index dead_letters_died_at_idx on app.dead_letters (died_at, id);
alter table app.dead_letters enable row level security;
