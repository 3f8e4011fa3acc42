-- It merges the newest of each Hub of theirs, so notifications in other Hubs cost nothing, with those whose
-- audience or post is judged one by one.
create function app.inbox_entries(p_unread_only boolean, p_from app.list_entry, p_limit integer)
returns app.list_entry[]
language plpgsql stable security definer set search_path = ''
-- Forces index scans for inboxes of any size: a plan for a user with 100,000 notifications would read those
-- of all users.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return array(
    select (shown.created_at, shown.id)::app.list_entry
    from (
      select newest.created_at, newest.id
      from app.inbox_audiences as s
      cross join lateral (
        select n.created_at, n.id
        from app.notifications_with_visibility as n
        where n.recipient_id = s.user_id and n.audience = s.audience and n.audience_id = s.audience_id
          and (n.created_at, n.id) < (p_from.at, p_from.id)
          and (n.read_at is null or not p_unread_only)
          and not n.is_withheld
        order by n.created_at desc, n.id desc
        limit p_limit
      ) as newest
      where s.user_id = app.user_id() and s.audience in ('everybody', 'hub_member')
      union all
      -- The audiences of these are many: authors and Hubs.
      (
        select n.created_at, n.id
        from app.visible_notifications as n
        where n.recipient_id = app.user_id() and n.audience in ('post_viewer', 'target_member', 'hub_ready')
          and (n.created_at, n.id) < (p_from.at, p_from.id)
          and (n.read_at is null or not p_unread_only)
        order by n.created_at desc, n.id desc
        limit p_limit
      )
    ) as shown
    order by shown.created_at desc, shown.id desc
    limit p_limit
  );
end
$$;
comment on function app.inbox_entries is
  'Returns the next p_limit notifications of the caller''s inbox after p_from that they may see, newest first.';
grant execute on function app.inbox_entries to authenticated;

-- Args: p_entries, notifications of the caller's that they may see.
create function app.inbox_items(p_entries app.list_entry[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  -- As for an empty page of comments.
  if p_entries = '{}' then
    return '[]'::jsonb;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', n.id,
      'type', e.type,
      'actor', app.user_lite(e.actor) - 'name',
      'postId', e.post_id,
      'sourcePostId', e.source_post_id,
      'commentId', e.comment_id,
      'hub', case when h.id is not null then jsonb_build_object('id', h.id, 'name', h.name) end,
      'invitationId', e.invitation_id,
      'joinRequestId', e.join_request_id,
      'decisionId', e.decision_id,
      'milestoneTotal', e.milestone_total,
      'milestoneCount', e.milestone_count,
      'createdAt', app.iso(n.created_at),
      'read', n.read_at is not null
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.notifications as n on n.id = entry.id and n.recipient_id = app.user_id()
    join app.event_details as e on e.id = n.event_id
    left join app.hubs as h on h.id = e.hub_id
  );
end
$$;
comment on function app.inbox_items is 'Returns p_entries as JSON, in order (docs/product.md N2, N5).';
grant execute on function app.inbox_items to authenticated;

-- The audiences of notifications that a user may see at the moment, by kind.
--
-- The authors and Hubs of the audiences post_viewer, target_member and hub_ready are those of all people:
-- look them up, and read the others to list the audiences of a user.
create view app.inbox_audiences as
select u.id as user_id, 'everybody'::app.audience as audience, u.id as audience_id
from app.users as u
where u.ended_at is null
union all
select u.id, 'post_viewer', author.id
from app.users as u
cross join app.users as author
where u.ended_at is null
  and (
    author.id = u.id or not exists (select from app.users_hidden_from_all as h where h.user_id = author.id)
  )
union all
select l.user_id, 'target_member', author.id
from app.user_levels as l
cross join app.users as author
where l.level = 4
  and (
    author.id = l.user_id or not exists (select from app.users_hidden_from_all as h where h.user_id = author.id)
  )
union all
select l.user_id, 'hub_ready', h.id
from app.user_levels as l
cross join app.hubs as h
where l.level = 4 and h.is_open
union all
select l.user_id, 'hub_member', m.hub_id
from app.user_levels as l
join app.memberships as m on m.user_id = l.user_id
where l.level = 4;
comment on view app.inbox_audiences is
  'One row per audience of notifications that a user may see at the moment (docs/product.md N8-N10).';

-- All notifications. is_withheld marks those that stay hidden although their audience is visible.
--
-- A block separates the recipient from the actor or the author of the post or of the thread, or hides the
-- comment from everybody; or the recipient cannot see the post.
create view app.notifications_with_visibility as
select
  n.*,
  n.is_comment_hidden
  or exists (
    select
    from app.blocked_pairs as b
    where b.user_id = n.recipient_id and b.other_id in (n.actor_id, n.author_id, n.thread_author_id)
  )
  or n.audience in ('post_viewer', 'target_member') and not exists (
    select
    from app.events as e
    cross join lateral app.seen_posts(n.recipient_id) as seen
    where e.id = n.event_id and seen.id = e.post_id
  ) as is_withheld
from app.notifications as n;
comment on view app.notifications_with_visibility is
  'All notifications, and whether each is withheld from its recipient (docs/product.md N9, N10).';

-- The stream, push messages and the export read this view. Lists and counts go by audience, so they read the
-- two views that it combines.
create view app.visible_notifications as
select n.*
from app.notifications_with_visibility as n
-- "offset 0" prevents a join of all audiences with a few notifications.
where exists (
    select
    from app.inbox_audiences as s
    where s.user_id = n.recipient_id and s.audience = n.audience and s.audience_id = n.audience_id
    offset 0
  )
  and not n.is_withheld;
comment on view app.visible_notifications is
  'The notifications that their recipients may see at the moment (docs/product.md N10).';

-- Of the audience post_viewer these are those across a block: a public post is hidden by nothing else but its
-- author's suspension or end, which hides the audience.
create view app.withheld_notifications as
-- The recipient is the one of the pair, so that a query for some recipients reads the blocks of these alone.
select n.id, b.user_id as recipient_id, n.audience, n.audience_id
from app.blocked_pairs as b
cross join lateral (
  select own.id, own.audience, own.audience_id
  from app.notifications as own
  where own.recipient_id = b.user_id and own.actor_id = b.other_id and own.read_at is null
  union all
  select own.id, own.audience, own.audience_id
  from app.notifications as own
  where own.recipient_id = b.user_id and own.author_id = b.other_id and own.read_at is null
  union all
  select own.id, own.audience, own.audience_id
  from app.notifications as own
  where own.recipient_id = b.user_id and own.thread_author_id = b.other_id and own.read_at is null
  -- Keeps Postgres from reading all unread notifications for those of a few people.
  offset 0
) as n
union
select n.id, n.recipient_id, n.audience, n.audience_id
from app.notifications as n
where n.is_comment_hidden and n.read_at is null
union
select n.id, n.recipient_id, n.audience, n.audience_id
from app.notifications_with_visibility as n
where n.audience = 'target_member' and n.read_at is null and n.is_withheld;
comment on view app.withheld_notifications is
  'Unread notifications that are withheld (app.notifications_with_visibility), found without reading the others.';

create function app.named_actor(p_type app.event_type, p_actor_id uuid) returns uuid
language sql immutable
return case when p_type not in ('post_vote_milestone', 'post_voted') then p_actor_id end;
comment on function app.named_actor is
  'Returns the actor that a notification may name: null for votes (docs/product.md N5).';

-- The inbox, the stream, push messages and the export read the actor here. actor is null if anonymous: the
-- event is about votes, or the account is gone or hidden from everybody.
create view app.event_details as
select
  e.id, e.type, e.post_id, p.source_post_id, e.comment_id, e.hub_id, e.invitation_id, e.join_request_id, e.decision_id,
  e.milestone_total,
  e.milestone_count, actor
from app.events as e
left join app.profiles as actor
  on actor.user_id = app.named_actor(e.type, e.actor_id)
  and not exists (select from app.users_hidden_from_all as h where h.user_id = actor.user_id)
left join app.posts as p on p.id = e.post_id;
comment on view app.event_details is 'One row per event: what its notifications show.';

-- Marks one notification, or all visible ones, as read.
--
-- Args: notificationId, or all (true). Returns updated (how many were unread; 0 for a hidden one) and
-- unreadCount.
create function api.mark_notifications_read(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_id uuid := (p_args ->> 'notificationId')::uuid;
  v_updated bigint;
begin
  perform app.require_level(1);
  if (v_id is not null) = (p_args -> 'all' is not distinct from 'true') then
    perform app.refuse_argument('{}', 'invalid_union', 'Give either notificationId or all.');
  end if;
  if v_id is not null then
    perform app.require_notification(v_id);
  end if;
  v_updated := app.mark_read(v_id);
  return jsonb_build_object('updated', v_updated, 'unreadCount', (app.my_inbox_state()).unread_count);
end
$$;
comment on function api.mark_notifications_read is 'PATCH /notifications/read (docs/product.md N12).';
grant execute on function api.mark_notifications_read to authenticated;

-- Returns how many were unread.
create function app.mark_read(p_notification_id uuid) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  v_count bigint;
begin
  if p_notification_id is null then
    return app.mark_all_read();
  end if;
  update app.notifications as n
  set read_at = app.now()
  where n.id = (
    select v.id from app.visible_notifications as v where v.id = p_notification_id and v.recipient_id = app.user_id()
  )
    and n.read_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function app.mark_read is
  'Marks as read a notification of the caller''s that they may see, or for null all of these.';
grant execute on function app.mark_read to authenticated;

-- Returns how many were unread.
create function app.mark_all_read() returns bigint
language plpgsql set search_path = '' as $$
declare
  v_count bigint;
begin
  with own as materialized (
    select c.user_id, c.audience, c.audience_id
    from app.inbox_counts as c
    where c.user_id = app.user_id() and exists (
      select from app.inbox_audiences as s
      where s.user_id = c.user_id and s.audience = c.audience and s.audience_id = c.audience_id
      offset 0
    )
    group by c.user_id, c.audience, c.audience_id
    having sum(c.unread_count) > 0
  ),
  unread as materialized (
    select n.id
    from own as s
    join app.notifications as n on n.recipient_id = s.user_id and n.audience = s.audience
      and n.audience_id = s.audience_id
    where n.read_at is null
      and n.id not in (select w.id from app.withheld_notifications as w where w.recipient_id = app.user_id())
    -- Locks in the order of ids, so that concurrent calls of one user wait instead of deadlocking.
    order by n.id
    for no key update of n
  )
  update app.notifications as n
  set read_at = app.now()
  from unread
  where n.id = unread.id and n.read_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function app.mark_all_read is 'Marks as read all notifications that the caller may see.';

create function app.require_notification(p_notification_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (
    select from app.notifications as n where n.id = p_notification_id and n.recipient_id = app.user_id()
  ) then
    raise exception using errcode = 'PT404', message = 'NOTIFICATION_NOT_FOUND';
  end if;
end
$$;
comment on function app.require_notification is
  'Raises NOTIFICATION_NOT_FOUND unless the notification is the caller''s, visible at the moment or not.';
grant execute on function app.require_notification to authenticated;

create type app.inbox_state as (unread_count bigint, version bigint);
comment on type app.inbox_state is 'The unread count and the version of an inbox (app.inbox_state_of).';

-- Lists the caller's notifications, newest first.
--
-- Args: cursor, limit, unreadOnly. Returns items, nextCursor, unreadCount and inboxVersion, all of one
-- snapshot.
create function api.list_notifications(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_notifications', p_args, '{"unreadOnly": false}');
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
  v_state app.inbox_state;
begin
  perform app.require_level(1);
  v_page := app.inbox_entries(
    coalesce(app.argument(p_args, 'unreadOnly', 'boolean')::boolean, false), v_from, v_limit + 1
  );
  v_state := app.my_inbox_state();
  return jsonb_build_object(
    'items', app.inbox_items(v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit),
    'unreadCount', v_state.unread_count,
    'inboxVersion', v_state.version
  );
end
$$;
comment on function api.list_notifications is 'GET /notifications (docs/product.md N2, N8-N11).';
grant execute on function api.list_notifications to authenticated;

create function app.my_inbox_state() returns app.inbox_state
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.inbox_state_of(app.user_id());
end
$$;
comment on function app.my_inbox_state is 'Returns the unread count and the inbox version of the caller.';
grant execute on function app.my_inbox_state to authenticated;

create function app.inbox_state_of(p_user_id uuid) returns app.inbox_state
language plpgsql stable set search_path = '' as $$
declare
  v_state app.inbox_state;
begin
  select coalesce(sum(s.unread_count), 0)::bigint, coalesce(sum(s.version), 0)::bigint
  into v_state
  from app.inbox_states(array[p_user_id]) as s;
  return v_state;
end
$$;
comment on function app.inbox_state_of is
  'Returns the unread count and the version of the inbox of a user (app.inbox_states).';

-- Users without any notification have no row.
create function app.inbox_states(p_user_ids uuid[]) returns table (user_id uuid, unread_count bigint, version bigint)
language plpgsql stable set search_path = ''
-- Forces index scans for inboxes of any size: a plan for a user with 100,000 notifications would read those
-- of all users.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return query
  select
    counted.user_id,
    sum(
      case when counted.unread_count <> 0 and exists (
        select from app.inbox_audiences as s
        where s.user_id = counted.user_id and s.audience = counted.audience and s.audience_id = counted.audience_id
        -- Prevents a join of all audiences with a few rows.
        offset 0
      ) then counted.unread_count else 0 end
    )::bigint,
    sum(
      counted.change_count
      + coalesce((select s.change_count from app.audience_changes as s where s.audience_id = counted.audience_id), 0)
    )::bigint
  from (
    select
      t.user_id, t.audience, t.audience_id, sum(t.unread_count)::bigint as unread_count,
      sum(t.change_count)::bigint as change_count
    from (
      select c.user_id, c.audience, c.audience_id, c.unread_count, c.change_count
      from app.inbox_counts as c
      where c.user_id = any (p_user_ids)
      union all
      select w.recipient_id, w.audience, w.audience_id, -1, 0
      from app.withheld_notifications as w
      where w.recipient_id = any (p_user_ids)
    ) as t
    group by t.user_id, t.audience, t.audience_id
  ) as counted
  group by counted.user_id;
end
$$;
comment on function app.inbox_states is
  'Returns for each user the exact number of unread notifications that they may see, by sums instead of a count, and '
  'the version of the inbox, which grows with every change.';

-- One statement does it, so every reader sees each change exactly once.
--
-- Returns whether there may be more.
create function app.fold_inbox_counts() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_limit integer := 20000;
  v_count integer;
begin
  perform app.lock_inbox_counts();
  with folded as (
    delete from app.inbox_counts
    where ctid = any (array(select c.ctid from app.inbox_counts as c where not c.is_folded limit v_limit))
    returning *
  ),
  summed as (
    insert into app.inbox_counts as base (user_id, audience, audience_id, unread_count, change_count, is_folded)
    select f.user_id, f.audience, f.audience_id, sum(f.unread_count), sum(f.change_count), true
    from folded as f
    group by f.user_id, f.audience, f.audience_id
    on conflict (user_id, audience, audience_id) where is_folded do update
      set unread_count = base.unread_count + excluded.unread_count,
        change_count = base.change_count + excluded.change_count
  )
  select count(*)::integer into v_count from folded;
  return v_count = v_limit;
end
$$;
comment on function app.fold_inbox_counts is
  'Upkeep: folds rows of app.inbox_counts into one per audience, 20,000 at a time.';
grant execute on function app.fold_inbox_counts to opine_worker;

-- Removes an ended account, whose notifications are gone, from the counts of those who had them.
--
-- Their versions stay: what the audience contributes becomes their own. It takes 1,000 people at a time, each
-- whole, because every audience of a person contains the changes of the account. The transaction must hold
-- app.lock_inbox_counts. Returns whether there may be more.
create function app.delete_audience_changes(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_change_count bigint := coalesce(
    (select s.change_count from app.audience_changes as s where s.audience_id = p_user_id), 0
  );
  v_limit integer := 1000;
  v_user_ids uuid[] := array(
    select distinct c.user_id
    from app.inbox_counts as c
    where c.audience_id = p_user_id and c.audience in ('post_viewer', 'target_member')
    limit v_limit
  );
begin
  with gone as (
    delete from app.inbox_counts as c
    where c.audience_id = p_user_id and c.audience in ('post_viewer', 'target_member') and c.user_id = any (v_user_ids)
    returning *
  )
  insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count)
  select g.user_id, 'everybody', g.user_id, 0, sum(g.change_count) + v_change_count
  from gone as g
  where g.user_id <> p_user_id
  group by g.user_id, g.audience;
  if cardinality(v_user_ids) < v_limit then
    delete from app.audience_changes as s where s.audience_id = p_user_id;
    return false;
  end if;
  return true;
end
$$;
comment on function app.delete_audience_changes is
  'Removes an ended account from the counts of inboxes (docs/product.md I18).';

-- The fold and the removal of an inbox delete the same rows in different orders, so they would deadlock.
create function app.lock_inbox_counts() returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('app.inbox_counts'));
end
$$;
comment on function app.lock_inbox_counts is
  'Locks the deletion of rows of app.inbox_counts until the transaction ends.';
