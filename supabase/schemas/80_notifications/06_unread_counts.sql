create function app.record_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
    select f.recipient_id, f.audience, f.audience_id, -count(*) filter (where f.read_at is null), 1
    from former as f
    group by f.recipient_id, f.audience, f.audience_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
    select p.recipient_id, p.audience, p.audience_id, count(*) filter (where p.read_at is null), 1
    from present as p
    group by p.recipient_id, p.audience, p.audience_id;
  end if;
  if tg_op = 'INSERT' then
    insert into app.outbox (notification_id, due_at) select p.id, app.now() from present as p;
  end if;
  return null;
end
$$;
comment on function app.record_notifications is
  'Trigger: counts new, read and deleted notifications in app.inbox_counts, and inserts new ones into the outbox, in '
  'the same transaction.';

-- Args: the columns with their ids.
create function app.record_inbox_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select person.id, 'everybody', person.id, 0, 1
  from (select (v_row ->> arg.name)::uuid as id from unnest(tg_argv) as arg (name)) as person;
  return null;
end
$$;
comment on function app.record_inbox_changes is
  'Trigger: raises the inbox version of users after a change of what they may see.';

create trigger users_record_inbox_after_update after update on app.users
for each row when (
  (old.phone is null, old.media_completed_at is null, old.contacts_synced_at is null)
  is distinct from (new.phone is null, new.media_completed_at is null, new.contacts_synced_at is null)
)
execute function app.record_inbox_changes('id');

create trigger blocks_record_inboxes_after_change after insert or delete on app.blocks
for each row execute function app.record_inbox_changes('blocker_id', 'blocked_id');

create function app.record_member_inboxes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select c.user_id, 'everybody', c.user_id, 0, 1 from changed as c;
  return null;
end
$$;
comment on function app.record_member_inboxes is
  'Trigger: raises the inbox version of all users whose memberships a statement inserts or deletes.';

-- Raises the inbox version of everybody with notifications of an audience that was hidden or shown again.
--
-- Args: the column with its id.
create function app.record_audience_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into app.audience_changes as s (audience_id, change_count)
  values ((v_row ->> tg_argv[0])::uuid, 1)
  on conflict (audience_id) do update set change_count = s.change_count + 1;
  return null;
end
$$;
comment on function app.record_audience_change is 'Trigger: counts that a person or Hub was hidden or shown.';

create trigger suspensions_record_audience_after_change after insert or delete on app.suspensions
for each row execute function app.record_audience_change('user_id');

create trigger account_deletions_record_audience_after_insert after insert on app.account_deletions
for each row execute function app.record_audience_change('user_id');

create trigger hubs_record_audience_after_update after update on app.hubs
for each row when (old.is_open is distinct from new.is_open)
execute function app.record_audience_change('id');

-- Raises the inbox version of those who may lose or regain a private post: its mentions have no Hub.
create function app.record_inboxes_of_placements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select n.recipient_id, n.audience, n.audience_id, 0, 1
  from (select distinct c.post_id from changed as c) as placed
  join app.posts as p on p.id = placed.post_id and not p.is_public
  join app.events as e on e.post_id = p.id and e.hub_id is null
  join app.notifications as n on n.event_id = e.id;
  return null;
end
$$;
comment on function app.record_inboxes_of_placements is
  'Trigger: raises the inbox version of those notified of private posts whose Hubs change.';

create trigger placements_record_inboxes_after_insert after insert on app.placements
referencing new table as changed
for each statement execute function app.record_inboxes_of_placements();

create trigger placements_record_inboxes_after_delete after delete on app.placements
referencing old table as changed
for each statement execute function app.record_inboxes_of_placements();

create trigger memberships_record_inboxes_after_insert after insert on app.memberships
referencing new table as changed
for each statement execute function app.record_member_inboxes();

create trigger memberships_record_inboxes_after_delete after delete on app.memberships
referencing old table as changed
for each statement execute function app.record_member_inboxes();

create trigger notifications_record_after_insert after insert on app.notifications
referencing new table as present
for each statement execute function app.record_notifications();

create trigger notifications_record_after_update after update on app.notifications
referencing old table as former new table as present
for each statement execute function app.record_notifications();

create trigger notifications_record_after_delete after delete on app.notifications
referencing old table as former
for each statement execute function app.record_notifications();
