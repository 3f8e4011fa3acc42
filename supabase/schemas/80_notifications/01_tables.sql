-- An event goes with what it is about. The table lies below all of that (15_events).
alter table app.events
  add constraint events_actor_id_fkey foreign key (actor_id) references app.users (id) on delete cascade,
  add constraint events_subject_id_fkey foreign key (subject_id) references app.users (id) on delete cascade,
  add constraint events_hub_id_fkey foreign key (hub_id) references app.hubs (id) on delete cascade,
  add constraint events_post_id_fkey foreign key (post_id) references app.posts (id) on delete cascade,
  add constraint events_comment_id_fkey foreign key (comment_id) references app.comments (id) on delete cascade,
  add constraint events_invitation_id_fkey foreign key (invitation_id) references app.hub_invitations (id)
    on delete cascade,
  add constraint events_join_request_id_fkey foreign key (join_request_id) references app.join_requests (id)
    on delete cascade;

-- The conditions on which a recipient sees a notification:
--
-- everybody: none. post_viewer: they can see its post. target_member: they are Hub-ready too (a private
-- post). hub_member: they are Hub-ready and a member of its Hub. hub_ready: they are Hub-ready, and its Hub
-- is open. nobody: never. It holds malformed notifications, and those of withdrawn join requests.
create type app.audience as enum (
  'everybody', 'post_viewer', 'target_member', 'hub_member', 'hub_ready', 'nobody'
);
comment on type app.audience is 'What a recipient must be to see a notification (docs/product.md N8, N9).';

-- The event has the content. Rows that the recipient may not see at the moment stay
-- (app.visible_notifications).
create table app.notifications (
  id uuid primary key default app.uuid_v7(),
  event_id uuid not null references app.events (id) on delete cascade,
  recipient_id uuid not null,
  audience app.audience not null,
  audience_id uuid not null,
  actor_id uuid,
  author_id uuid,
  thread_author_id uuid,
  is_comment_hidden boolean not null default false,
  created_at timestamptz not null default app.now(),
  read_at timestamptz,
  constraint notifications_event_id_recipient_id_key unique (event_id, recipient_id)
);
comment on table app.notifications is 'The inbox: one row per event and recipient.';
comment on column app.notifications.recipient_id is
  'No foreign key: its check would lock the account of each recipient, and accounts are never deleted.';
comment on column app.notifications.audience_id is
  'The Hub for the audiences hub_member and hub_ready, the author of the post for post_viewer and target_member, else '
  'the recipient. An audience that is hidden (app.inbox_audiences) hides all its notifications.';
comment on column app.notifications.actor_id is
  'A copy of the event''s actor, so that an index finds what a block hides. No foreign key, for the same reason as '
  'recipient_id.';
comment on column app.notifications.author_id is
  'The author of the post, if neither the recipient nor the actor; here for the same reasons as actor_id.';
comment on column app.notifications.thread_author_id is
  'The author of the first comment of the thread, if neither the recipient, the actor nor author_id; here for the same '
  'reasons as actor_id.';
comment on column app.notifications.is_comment_hidden is
  'A copy of is_hidden of the comment that it is about: a block hides the comment from everybody.';
create index notifications_audience_idx on app.notifications (
  recipient_id, audience, audience_id, created_at desc, id desc
);
create index notifications_judged_idx on app.notifications (recipient_id, created_at desc, id desc)
where audience in ('post_viewer', 'target_member', 'hub_ready');
create index notifications_unread_audience_idx on app.notifications (
  recipient_id, audience, audience_id, created_at desc, id desc
)
where read_at is null;
create index notifications_unread_actor_idx on app.notifications (recipient_id, actor_id)
where read_at is null and actor_id is not null;
create index notifications_unread_author_idx on app.notifications (recipient_id, author_id)
where read_at is null and author_id is not null;
create index notifications_unread_thread_author_idx on app.notifications (recipient_id, thread_author_id)
where read_at is null and thread_author_id is not null;
create index notifications_unread_hidden_idx on app.notifications (recipient_id)
where read_at is null and is_comment_hidden;
alter table app.notifications enable row level security;

-- Triggers insert a row per change, so that transactions with the same recipient never wait for each other.
-- The worker folds the rows into one per audience. No foreign key: its check would cost a lookup per row.
create table app.inbox_counts (
  user_id uuid not null,
  audience app.audience not null,
  audience_id uuid not null,
  unread_count integer not null,
  change_count bigint not null,
  is_folded boolean not null default false
);
comment on table app.inbox_counts is
  'Counters of an inbox by audience: the sums of their rows are the unread count and the version.';
comment on column app.inbox_counts.unread_count is
  'Includes hidden notifications: visibility is checked when the counts are read (app.inbox_state_of).';
comment on column app.inbox_counts.change_count is
  'The sum over all rows of a user, and over the audiences of these in app.audience_changes, is the inbox version, '
  'which '
  'only grows (docs/product.md N11).';
create unique index inbox_counts_folded_key on app.inbox_counts (user_id, audience, audience_id) where is_folded;
create index inbox_counts_user_id_idx on app.inbox_counts (user_id);
create index inbox_counts_author_idx on app.inbox_counts (audience_id)
where audience in ('post_viewer', 'target_member');
create index inbox_counts_unfolded_idx on app.inbox_counts (user_id) where not is_folded;
alter table app.inbox_counts enable row level security;

-- The inbox versions of everybody with notifications of this audience contain it, so that a suspension writes
-- one row, however many people it concerns. No foreign key: a version must not fall when a Hub is deleted.
-- app.delete_audience_changes removes that of an ended account.
create table app.audience_changes (
  audience_id uuid primary key,
  change_count bigint not null
);
comment on table app.audience_changes is 'One row per person or Hub that was hidden or shown again: how often.';
alter table app.audience_changes enable row level security;

create table app.fan_outs (
  event_id uuid not null references app.events (id) on delete cascade,
  next_user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  until_user_id uuid,
  batch_index integer not null default 0,
  constraint fan_outs_pkey primary key (event_id, next_user_id)
);
comment on table app.fan_outs is
  'The worker''s queue: one row per event with too many recipients for the request, then one per batch of them.';
comment on column app.fan_outs.batch_index is
  'How many batches of the event come before. The fewest come first, so that an event for a thousand people does not '
  'wait for one for a million.';
comment on column app.fan_outs.next_user_id is 'The first user who is not notified yet, in the order of ids.';
comment on column app.fan_outs.until_user_id is 'The first user of the next batch; null without one.';
create index fan_outs_turn_count_idx on app.fan_outs (batch_index, event_id);
alter table app.fan_outs enable row level security;

-- The row is inserted with the notification, and deleted when the stream has been notified and
-- app.push_leases or app.pushes has its pushes. No foreign key: its check would cost a lookup per row, and
-- readers skip a row without its notification.
create table app.outbox (
  notification_id uuid primary key,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  is_queued boolean not null default false
);
comment on table app.outbox is 'One row per notification that is not yet published (docs/product.md N14, N15).';
comment on column app.outbox.is_queued is 'Whether app.pushes has the pushes already: only the stream is retried.';
comment on column app.outbox.due_at is 'The time of the next attempt.';
alter table app.outbox enable row level security;

-- It deletes the row with the results (app.settle_published).
create table app.push_leases (
  id uuid primary key default app.uuid_v7(),
  notification_ids uuid[] not null,
  lapses_at timestamptz not null
);
comment on table app.push_leases is
  'One row per batch of published notifications whose pushes the worker that published them is sending.';
-- Ids hardly compress.
alter table app.push_leases alter column notification_ids set storage external;
comment on column app.push_leases.lapses_at is
  'The time by which the worker must have died. Another one then puts the pushes into app.pushes.';
alter table app.push_leases enable row level security;

-- The row is deleted when the push is settled. No foreign keys: readers skip a row without its notification
-- or device.
create table app.pushes (
  notification_id uuid not null,
  token_hash bytea not null,
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0,
  constraint pushes_pkey primary key (notification_id, token_hash)
);
comment on table app.pushes is 'One row per notification and device that is still to be sent.';
comment on column app.pushes.due_at is
  'The time from which a worker may take the row, again after a lease: another worker then follows one that died.';
create index pushes_due_at_idx on app.pushes (due_at);
alter table app.pushes enable row level security;

-- Inbox and stream do not depend on it.
create table app.notification_preferences (
  user_id uuid primary key references app.users (id) on delete cascade,
  silent_types app.event_type[] not null default '{}',
  quiet_from time,
  quiet_to time,
  time_zone text,
  constraint notification_preferences_quiet_hours_are_whole check (
    num_nonnulls(quiet_from, quiet_to, time_zone) in (0, 3)
  ),
  constraint notification_preferences_quiet_hours_have_length check (quiet_from <> quiet_to)
);
comment on table app.notification_preferences is
  'One row per person who has changed what is pushed to their devices (docs/product.md N27-N29).';
comment on column app.notification_preferences.silent_types is 'The types of notifications that are not pushed.';
comment on column app.notification_preferences.quiet_from is
  'The local time at which the quiet hours of each day begin. They pass midnight where quiet_to is earlier.';
comment on column app.notification_preferences.time_zone is
  'The IANA name of the time zone of the quiet hours, as app.time_zone_named spells it.';
alter table app.notification_preferences enable row level security;
grant select on app.notification_preferences to authenticated;
grant insert (user_id), update (
  silent_types, quiet_from, quiet_to, time_zone
) on app.notification_preferences to authenticated;

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
comment on table app.dead_letters is
  'One row per delivery that failed at every attempt, for staff to read and requeue (staff.dead_letters).';
comment on column app.dead_letters.token_hash is 'The device; null for the stream.';
comment on column app.dead_letters.failure is 'The code of the last failure.';
create unique index dead_letters_notification_id_token_hash_key
  on app.dead_letters (notification_id, token_hash) nulls not distinct;
create index dead_letters_died_at_idx on app.dead_letters (died_at, id);
alter table app.dead_letters enable row level security;
