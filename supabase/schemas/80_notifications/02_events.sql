-- Makes an invitation or a change of role the newest state of the notification of an earlier one.
--
-- That is one to the same person of the same Hub within 24 hours of the first. The notification is unread
-- again, and moves up. Streams hear of it at once; devices get at most one push in 10 minutes, which
-- app.claim_pushes drops if it has been read by then. Changes in a Hub are serialised (app.lock_hub). The new event
-- is inserted if there is no such notification, or the person must not be notified of this actor.
create function app.renew_event() returns trigger
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_recipient_id uuid := new.subject_id;
  v_found record;
  v_push_at timestamptz;
begin
  if new.type = 'hub_invite_received' then
    select u.id into v_recipient_id
    from app.hub_invitations as i
    join app.users as u on u.phone = i.phone
    where i.id = new.invitation_id;
  end if;
  select n.id, e.id as event_id, coalesce(e.pushed_at, e.occurred_at) as pushed_at into v_found
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  where n.recipient_id = v_recipient_id and n.scope_id = new.hub_id and n.created_at > v_now - interval '24 hours'
    and n.audience = case new.type when 'hub_invite_received' then 'hub_ready'::app.audience else 'hub_member' end
    and e.type = new.type and e.occurred_at > v_now - interval '24 hours'
    and new.actor_id is distinct from v_recipient_id
    and not exists (
      select from app.blocked_pairs as b where b.user_id = v_recipient_id and b.other_id = new.actor_id
    )
  order by n.created_at desc
  limit 1
  for no key update of n;
  if not found then
    return new;
  end if;
  -- A push that is still to come carries the newest state.
  if v_found.pushed_at <= v_now
    and not exists (select from app.outbox as o where o.notification_id = v_found.id and not o.is_queued) then
    v_push_at := greatest(v_now, v_found.pushed_at + interval '10 minutes');
    insert into app.pushes (notification_id, token_hash, due_at)
    select v_found.id, d.token_hash, v_push_at from app.device_tokens as d where d.user_id = v_recipient_id
    on conflict do nothing;
  end if;
  update app.events as e
  set actor_id = new.actor_id, invitation_id = new.invitation_id, pushed_at = coalesce(v_push_at, e.pushed_at)
  where e.id = v_found.event_id;
  update app.notifications as n
  set actor_id = new.actor_id, created_at = v_now, read_at = null
  where n.id = v_found.id;
  insert into app.outbox (notification_id, due_at, is_queued) values (v_found.id, v_now, true)
  on conflict (notification_id) do nothing;
  return null;
end
$$;
comment on function app.renew_event is
  'Trigger: renews the notification of an invitation or a role within 24 hours (docs/product.md N33).';

create trigger events_renew_before_insert before insert on app.events
for each row when (new.type in ('hub_invite_received', 'hub_role_changed'))
execute function app.renew_event();

create function app.hide_join_request() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.notifications as n
  set audience = 'nobody'
  from app.events as e
  where e.join_request_id = new.id and e.type = 'hub_join_request_created' and n.event_id = e.id;
  return null;
end
$$;
comment on function app.hide_join_request is
  'Trigger: hides the notifications of a withdrawn join request from everybody (docs/product.md H27).';

create trigger join_requests_hide_after_update after update of state on app.join_requests
for each row when (new.state = 'withdrawn' and old.state <> 'withdrawn')
execute function app.hide_join_request();

-- Lets the notifications of an earlier request of the last 24 hours be those of a new one by an invite link, read or
-- unread as they were. Who has become an admin or manager since then is notified. Without an earlier request the new
-- event is inserted.
create function app.show_join_request_again() returns trigger
language plpgsql set search_path = '' as $$
declare
  v_event app.events;
begin
  update app.events as e
  set join_request_id = new.join_request_id
  where e.id = (
    select former.id
    from app.events as former
    where former.subject_id = new.subject_id and former.hub_id = new.hub_id
      and former.type = 'hub_join_request_created' and former.occurred_at > app.now() - interval '24 hours'
    order by former.occurred_at desc
    limit 1
  ) and exists (select from app.join_requests as r where r.id = new.join_request_id and r.link_id is not null)
  returning * into v_event;
  if v_event.id is null then
    return new;
  end if;
  update app.notifications as n set audience = 'hub_member' where n.event_id = v_event.id;
  perform app.deliver_event(v_event);
  return null;
end
$$;
comment on function app.show_join_request_again is
  'Trigger: shows the notifications of a join request that is made again (docs/product.md H30).';

create trigger events_show_again_before_insert before insert on app.events
for each row when (new.type = 'hub_join_request_created')
execute function app.show_join_request_again();

create function app.deliver_new_event() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform app.deliver_event(new);
  return null;
end
$$;
comment on function app.deliver_new_event is
  'Trigger: notifies the recipients of an event. Those of milestones are notified by app.fan_out_milestones.';

create trigger events_deliver_after_insert after insert on app.events
for each row when (new.type <> 'post_vote_milestone')
execute function app.deliver_new_event();

create function app.deliver_event(p_event app.events) returns void
language plpgsql set search_path = '' as $$
declare
  -- At most 1,000 recipients per transaction, whatever it does, so that no request waits for thousands of inserts.
  v_left integer := 1000 - coalesce(nullif(current_setting('app.recipient_count', true), ''), '0')::integer;
  v_user_ids uuid[] := app.candidates_for(p_event, '00000000-0000-0000-0000-000000000000', v_left + 1);
begin
  if cardinality(v_user_ids) > v_left then
    insert into app.fan_outs (event_id) values (p_event.id);
  else
    perform set_config('app.recipient_count', (1000 - v_left + cardinality(v_user_ids))::text, true);
    perform app.notify(p_event, v_user_ids);
  end if;
end
$$;
comment on function app.deliver_event is
  'Notifies the recipients of an event, or queues a fan-out for the worker if there are too many.';

-- It skips ended accounts, the actor, blocked pairs with the actor or the author of the post or of the
-- thread, and, for types that honour mutes, users who muted the Hub.
create function app.notify(p_event app.events, p_user_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_audience app.audience := app.audience_of(p_event);
  v_post_author_id uuid;
  v_author_id uuid;
  v_thread_author_id uuid;
  v_is_comment_hidden boolean;
  v_muting_ids uuid[] := '{}'::uuid[];
begin
  if p_event.post_id is not null then
    select
      p.author_id, nullif(p.author_id, p_event.actor_id), nullif(nullif(root.author_id, p_event.actor_id), p.author_id),
      c.is_hidden
    into v_post_author_id, v_author_id, v_thread_author_id, v_is_comment_hidden
    from app.posts as p
    left join app.comments as c on c.id = p_event.comment_id
    left join app.comments as root on root.id = c.parent_id
    where p.id = p_event.post_id;
  end if;
  if p_event.hub_id is not null then
    v_muting_ids := array(select m.user_id from app.event_mutes as m where m.event_id = p_event.id);
  end if;
  insert into app.notifications (
    event_id, recipient_id, audience, scope_id, actor_id, author_id, thread_author_id, is_comment_hidden, created_at
  )
  select
    p_event.id, u.id, v_audience,
    case
      when v_audience in ('hub_member', 'hub_ready') then p_event.hub_id
      when v_audience in ('post_viewer', 'target_member') then v_post_author_id
      else u.id
    end,
    p_event.actor_id, nullif(v_author_id, u.id), nullif(v_thread_author_id, u.id),
    coalesce(v_is_comment_hidden, false), v_now
  from app.users as u
  where u.id = any (p_user_ids) and u.ended_at is null and u.id is distinct from p_event.actor_id
    and not exists (
      select from app.blocked_pairs as b
      where b.user_id = u.id and b.other_id in (p_event.actor_id, v_author_id, v_thread_author_id)
    )
    and u.id <> all (v_muting_ids)
  order by u.id
  on conflict (event_id, recipient_id) do nothing;
end
$$;
comment on function app.notify is 'Inserts the notifications of an event for p_user_ids, each once.';

-- An event without the Hub or post that its type needs is for nobody.
create function app.audience_of(p_event app.events) returns app.audience
language plpgsql stable set search_path = '' as $$
begin
  if p_event.hub_id is not null then
    return case
      when p_event.type in (
        'hub_invite_received', 'hub_join_request_rejected', 'hub_member_removed'
      ) then 'hub_ready'::app.audience
      else 'hub_member'
    end;
  end if;
  return case
    when p_event.type in ('user_followed', 'moderation_decided') then 'everybody'::app.audience
    when p_event.type in ('post_commented', 'comment_replied', 'post_shared_to_feed', 'post_voted')
      and p_event.post_id is not null then 'everybody'
    when p_event.type in (
      'post_reposted', 'post_vote_milestone', 'followed_user_posted', 'user_mentioned'
    ) then coalesce((
      select case
        when not p.is_public then 'target_member'
        when p_event.type in ('post_vote_milestone', 'user_mentioned') then 'post_viewer'
        else 'everybody'::app.audience
      end
      from app.posts as p
      where p.id = p_event.post_id
    ), 'nobody')
    else 'nobody'
  end;
end
$$;
comment on function app.audience_of is 'Returns the audience of an event''s notifications (docs/product.md N8, N9).';

-- Returns whether there may be more.
create function app.fan_out() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_size integer := 2000;
  v_next record;
  v_batch app.fan_outs;
  v_event app.events;
  v_user_ids uuid[];
begin
  -- Skip events under deletion: the deletion waits for the lock of their batches.
  select f as batch, e as event into v_next
  from app.fan_outs as f
  join app.events as e on e.id = f.event_id
  order by f.batch_index, f.event_id
  limit 1
  for update of f skip locked for key share of e skip locked;
  if not found then
    return false;
  end if;
  v_batch := v_next.batch;
  v_event := v_next.event;
  if v_batch.until_user_id is null then
    v_user_ids := app.candidates_for(v_event, v_batch.next_user_id, 100 * v_size + 1);
    if cardinality(v_user_ids) > v_size then
      perform app.divide_fan_out(v_batch, v_user_ids, v_size);
      return true;
    end if;
  else
    v_user_ids := array(
      select c.id
      from unnest(app.candidates_for(v_event, v_batch.next_user_id, v_size + 1)) as c (id)
      where c.id < v_batch.until_user_id
    );
  end if;
  perform app.notify(v_event, array(
    select given.id from unnest(v_user_ids[:v_size]) as given (id)
    except all
    -- A mention in the same text has notified them: they had muted the Hub at that time.
    select n.recipient_id
    from app.events as mention
    join app.notifications as n on n.event_id = mention.id
    where mention.post_id = v_event.post_id and mention.type = 'user_mentioned'
      and mention.comment_id is not distinct from v_event.comment_id
  ));
  -- A merge may have added recipients since the division.
  if cardinality(v_user_ids) > v_size then
    update app.fan_outs
    set next_user_id = v_user_ids[v_size + 1]
    where event_id = v_batch.event_id and next_user_id = v_batch.next_user_id;
  else
    delete from app.fan_outs where event_id = v_batch.event_id and next_user_id = v_batch.next_user_id;
  end if;
  return true;
end
$$;
comment on function app.fan_out is
  'Notifies a batch of recipients of a queued event, or divides an event into batches, which several calls notify at '
  'the same time.';
grant execute on function app.fan_out to opine_worker;

-- Args: p_rest; p_user_ids (its first recipients; the last batch has those that follow, too); p_size
-- (recipients of a batch).
create function app.divide_fan_out(p_rest app.fan_outs, p_user_ids uuid[], p_size integer) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.fan_outs where event_id = p_rest.event_id and next_user_id = p_rest.next_user_id;
  insert into app.fan_outs (event_id, next_user_id, until_user_id, batch_index)
  select p_rest.event_id, p_user_ids[first], p_user_ids[first + p_size], p_rest.batch_index + first / p_size
  from generate_series(1, cardinality(p_user_ids), p_size) as first;
end
$$;
comment on function app.divide_fan_out is 'Divides the rest of an event''s recipients into batches.';

create function app.record_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
    select f.recipient_id, f.audience, f.scope_id, -count(*) filter (where f.read_at is null), 1
    from former as f
    group by f.recipient_id, f.audience, f.scope_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
    select p.recipient_id, p.audience, p.scope_id, count(*) filter (where p.read_at is null), 1
    from present as p
    group by p.recipient_id, p.audience, p.scope_id;
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
  insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
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
  insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
  select c.user_id, 'everybody', c.user_id, 0, 1 from changed as c;
  return null;
end
$$;
comment on function app.record_member_inboxes is
  'Trigger: raises the inbox version of all users whose memberships a statement inserts or deletes.';

-- Raises the inbox version of everybody with notifications of a scope that was hidden or shown again.
create function app.record_scope_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  insert into app.scope_changes as s (scope_id, change_count)
  values ((v_row ->> tg_argv[0])::uuid, 1)
  on conflict (scope_id) do update set change_count = s.change_count + 1;
  return null;
end
$$;
comment on function app.record_scope_change is
  'Trigger: counts that a person or Hub was hidden or shown. Args: the column with its id.';

create trigger suspensions_record_scope_after_change after insert or delete on app.suspensions
for each row execute function app.record_scope_change('user_id');

create trigger account_deletions_record_scope_after_insert after insert on app.account_deletions
for each row execute function app.record_scope_change('user_id');

create trigger hubs_record_scope_after_update after update on app.hubs
for each row when (old.is_open is distinct from new.is_open)
execute function app.record_scope_change('id');

-- Raises the inbox version of those who may lose or regain a private post: its mentions have no Hub.
create function app.record_inboxes_of_placements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
  select n.recipient_id, n.audience, n.scope_id, 0, 1
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

create function app.delete_invitation_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from app.notifications as n
  using app.events as e, app.hub_invitations as i
  where i.phone = old.phone and e.invitation_id = i.id and n.event_id = e.id and n.recipient_id = old.id;
  return null;
end
$$;
comment on function app.delete_invitation_notifications is
  'Trigger: a user with another phone is notified of no invitation to the old one (docs/product.md I22).';

create trigger users_delete_invitation_notifications_after_update after update of phone on app.users
for each row when (old.phone <> new.phone)
execute function app.delete_invitation_notifications();

-- The update raises the versions of inboxes. Most updates of comments hide none, and end after a look at their rows.
create function app.hide_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_hidden uuid[];
  v_shown uuid[];
begin
  select
    array_agg(c.id) filter (where c.is_hidden), array_agg(c.id) filter (where not c.is_hidden)
  into v_hidden, v_shown
  from present as c
  join former as f on f.id = c.id and f.is_hidden <> c.is_hidden;
  if num_nonnulls(v_hidden, v_shown) = 0 then
    return null;
  end if;
  perform
  from app.events as e
  join app.notifications as n on n.event_id = e.id
  where e.comment_id = any (v_hidden || v_shown)
  -- The order of app.mark_all_read.
  order by n.id
  for no key update of n;
  update app.notifications as n
  set is_comment_hidden = e.comment_id = any (coalesce(v_hidden, '{}'))
  from app.events as e
  where e.comment_id = any (v_hidden || v_shown) and n.event_id = e.id;
  return null;
end
$$;
comment on function app.hide_notifications is
  'Trigger: hides the notifications about comments that a block hides, and shows them again (docs/product.md N10).';

create trigger comments_hide_notifications_after_update after update on app.comments
referencing old table as former new table as present
for each statement execute function app.hide_notifications();

create function app.show_thread() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update app.notifications as n
  set thread_author_id = null
  from app.comments as reply
  join app.events as e on e.comment_id = reply.id
  where reply.parent_id = old.id and n.event_id = e.id and n.thread_author_id = old.author_id;
  return null;
end
$$;
comment on function app.show_thread is
  'Trigger: a block of the author of a deleted comment no longer hides the replies to it (docs/product.md N10).';

create trigger comments_show_thread_after_update after update of author_id on app.comments
for each row when (new.author_id is null and old.author_id is not null)
execute function app.show_thread();
