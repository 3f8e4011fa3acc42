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

create trigger notifications_note_after_insert after insert on app.notifications
referencing new table as present
for each statement execute function app.note_notifications();

create trigger notifications_note_after_update after update on app.notifications
referencing old table as former new table as present
for each statement execute function app.note_notifications();

create trigger notifications_note_after_delete after delete on app.notifications
referencing old table as former
for each statement execute function app.note_notifications();
