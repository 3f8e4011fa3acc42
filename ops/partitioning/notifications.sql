-- Splits app.notifications into sixteen partitions by recipient, so that each inbox is in one partition.
-- Run it once as the owner, without the pooler, while no process of Opine runs (docs/operations.md, decision 021).
begin;
set local lock_timeout = '5s';
-- Take all locks of this script first: a conflict with another session then fails here and not after hours of copying.
lock table app.notifications_with_visibility, staff.dead_letters, app.events, app.dead_letters, app.notifications in access exclusive mode;

create table app.notifications_parted (like app.notifications including defaults including constraints including comments)
partition by hash (recipient_id);

do $$
begin
  for i in 0..15 loop
    execute format(
      'create table app.notifications_p%1$s partition of app.notifications_parted for values with (modulus 16, remainder %2$s)',
      lpad(i::text, 2, '0'), i
    );
    execute format('comment on table app.notifications_p%s is %L', lpad(i::text, 2, '0'), 'Of app.notifications.');
    execute format('alter table app.notifications_p%s enable row level security', lpad(i::text, 2, '0'));
  end loop;
end
$$;

insert into app.notifications_parted
(
  id, event_id, recipient_id, audience, audience_id, actor_id, author_id, thread_author_id, is_comment_hidden, created_at,
  read_at
)
select
  id, event_id, recipient_id, audience, audience_id, actor_id, author_id, thread_author_id, is_comment_hidden, created_at,
  read_at
from app.notifications;

-- A primary key of a partitioned table contains the partition key; ids alone are unique too, because app.uuid_v7 makes them.
alter table app.notifications_parted
  add constraint notifications_parted_pkey primary key (id, recipient_id),
  add constraint notifications_parted_key unique (event_id, recipient_id),
  add constraint notifications_event_id_fkey foreign key (event_id) references app.events (id) on delete cascade;
create index notifications_parted_audience_idx on app.notifications_parted
(recipient_id, audience, audience_id, created_at desc, id desc);
create index notifications_parted_judged_idx on app.notifications_parted (recipient_id, created_at desc, id desc)
where audience in ('post_viewer', 'target_member', 'hub_ready');
create index notifications_parted_unread_audience_idx on app.notifications_parted
(recipient_id, audience, audience_id, created_at desc, id desc) where read_at is null;
create index notifications_parted_unread_actor_idx on app.notifications_parted (recipient_id, actor_id)
where read_at is null and actor_id is not null;
create index notifications_parted_unread_author_idx on app.notifications_parted (recipient_id, author_id)
where read_at is null and author_id is not null;
create index notifications_parted_unread_thread_author_idx on app.notifications_parted (recipient_id, thread_author_id)
where read_at is null and thread_author_id is not null;
create index notifications_parted_unread_hidden_idx on app.notifications_parted (recipient_id)
where read_at is null and is_comment_hidden;

alter table app.notifications_parted enable row level security;
create policy notifications_staff_select on app.notifications_parted for select to staff_admin
using (exists (select from app.dead_letters as d where d.notification_id = notifications_parted.id));
grant select (id, event_id, recipient_id) on app.notifications_parted to staff_admin;
comment on table app.notifications_parted is 'The inbox: one row per event and recipient. The event has the content. Rows that the recipient may not see at the moment stay (app.visible_notifications).';

create trigger notifications_record_after_insert after insert on app.notifications_parted
referencing new table as present
for each statement execute function app.record_notifications();

create trigger notifications_record_after_update after update on app.notifications_parted
referencing old table as former new table as present
for each statement execute function app.record_notifications();

create trigger notifications_record_after_delete after delete on app.notifications_parted
referencing old table as former
for each statement execute function app.record_notifications();

-- Replaces a foreign key, which would need the recipient.
create function app.delete_dead_letters()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  delete from app.dead_letters as d using former as f where d.notification_id = f.id;
  return null;
end
$$;
comment on function app.delete_dead_letters() is 'Deletes the dead letters of deleted notifications.';
revoke all on function app.delete_dead_letters() from public;

create trigger notifications_delete_dead_letters after delete on app.notifications_parted
referencing old table as former
for each statement execute function app.delete_dead_letters();

alter table app.dead_letters drop constraint dead_letters_notification_id_fkey;

-- A view refers to a table by its oid, so each view is recreated with its definition on the new table.
create temporary table readers on commit drop as
select distinct v.oid::regclass::text as name, v.reloptions as options, pg_get_viewdef(v.oid) as definition
from pg_depend as d
join pg_rewrite as r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
join pg_class as v on v.oid = r.ev_class and v.relkind = 'v'
where d.refobjid = 'app.notifications'::regclass;

alter table app.notifications rename to notifications_whole;
alter table app.notifications_parted rename to notifications;
do $$
declare
  v_reader record;
begin
  for v_reader in select * from readers loop
    execute format(
      'create or replace view %s %s as %s',
      v_reader.name, 'with (' || array_to_string(v_reader.options, ', ') || ')', v_reader.definition
    );
  end loop;
end
$$;
-- A policy refers to a table by its oid too.
drop policy events_staff_select on app.events;
create policy events_staff_select on app.events for select to staff_admin
using (exists (select from app.notifications as n where n.event_id = events.id));
drop table app.notifications_whole;
alter index app.notifications_parted_pkey rename to notifications_pkey;
alter index app.notifications_parted_key rename to notifications_event_id_recipient_id_key;
alter index app.notifications_parted_audience_idx rename to notifications_audience_idx;
alter index app.notifications_parted_judged_idx rename to notifications_judged_idx;
alter index app.notifications_parted_unread_audience_idx rename to notifications_unread_audience_idx;
alter index app.notifications_parted_unread_actor_idx rename to notifications_unread_actor_idx;
alter index app.notifications_parted_unread_author_idx rename to notifications_unread_author_idx;
alter index app.notifications_parted_unread_thread_author_idx rename to notifications_unread_thread_author_idx;
alter index app.notifications_parted_unread_hidden_idx rename to notifications_unread_hidden_idx;
commit;

-- Autovacuum does not analyze a partitioned table.
analyze app.notifications;
