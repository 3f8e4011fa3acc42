-- Records the activity of a person on a public post, in their source and in the sources of their Hubs.
--
-- A repeat moves the event to the later time. Ignores private posts, which reach feeds by their Hubs only,
-- and what authors do on their own posts, except a share to their feed (docs/product.md F4). An event names
-- its transaction, except a vote that its own transaction records, because it counts at once
-- (app.feed_events.begun_by). The fold records all votes, those again, so that no row keeps the transaction
-- of a vote.
create function app.record_activity(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_at timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_actor(p_actor_id);
  -- Waits for a concurrent deletion of the post; the insert then finds no post.
  perform from app.posts as p where p.id = p_post_id for key share;
  insert into app.feed_events as e (hub_id, actor_id, post_id, kind, occurred_at, begun_by)
  select
    source.hub_id, p_actor_id, p.id, p_kind, p_at,
    case when p_kind <> 'voted' or p_at < app.now() then pg_current_xact_id() end
  from app.posts as p
  cross join (
    select null::uuid as hub_id
    union all
    select m.hub_id from app.memberships as m where m.user_id = p_actor_id
  ) as source
  where p.id = p_post_id and p.is_public
    and (p.author_id <> p_actor_id or p_kind in ('published', 'shared_to_feed'))
  on conflict (post_id, source_id, actor_id, kind) where ended_at is null
  do update set
    occurred_at = greatest(e.occurred_at, excluded.occurred_at),
    begun_by = case when excluded.occurred_at > e.occurred_at then excluded.begun_by else e.begun_by end;
end
$$;
comment on function app.record_activity is
  'Records the activity of a person on a public post for the feeds of others (docs/product.md F4-F8).';

-- Args: p_kind; p_actor_id; p_post_id; p_latest (time of the latest remaining activity of this kind, null for
-- none).
create function app.end_activity(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_latest timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_actor(p_actor_id);
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where e.post_id = p_post_id and e.actor_id = p_actor_id and e.kind = p_kind and e.ended_at is null
    and e.occurred_at is distinct from p_latest;
  if p_latest is not null then
    perform app.record_activity(p_kind, p_actor_id, p_post_id, p_latest);
  end if;
end
$$;
comment on function app.end_activity is
  'Marks the activity of a person on a post as lost after they deleted some of it.';

-- Errors: serialization_failure if one of the posts is deleted concurrently.
create function app.add_activity_to_hubs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.update_actors(array(select present.user_id from present));
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
  select m.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at
  from present as m
  join app.feed_events as e on e.actor_id = m.user_id and e.hub_id is null and e.ended_at is null
  -- Each insert locks its post, so insert in the order of ids.
  order by e.post_id;
  insert into app.feed_changes (kind, subject_id, object_id)
  select 'memberships', present.user_id, present.hub_id from present;
  return null;
exception when foreign_key_violation then
  -- A post was deleted concurrently; the retry no longer finds it.
  raise exception using errcode = 'serialization_failure', message = 'A post was deleted concurrently.';
end
$$;
comment on function app.add_activity_to_hubs is
  'Trigger: copies the activity of new members into the sources of their Hubs, at its own time.';

-- Their placements stay.
create function app.end_activity_in_hubs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.update_actors(array(select former.user_id from former));
  -- Posts before what is about them: the deletion of a post takes several events of one person along, in any order.
  perform from app.posts as p
  where p.id in (
    select e.post_id from former as m join app.feed_events as e on e.hub_id = m.hub_id and e.actor_id = m.user_id
  )
  order by p.id
  for key share;
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  from former as m
  where e.hub_id = m.hub_id and e.actor_id = m.user_id and e.ended_at is null
    and not app.is_placement(e.kind);
  insert into app.feed_changes (kind, subject_id, object_id, former_at)
  select 'memberships', former.user_id, former.hub_id, former.joined_at from former;
  return null;
end
$$;
comment on function app.end_activity_in_hubs is
  'Trigger: marks the activity of former members as lost in the sources of their Hubs.';

-- One statement for all, because a Hub that closes may have tens of thousands of members.
create function app.update_actors(p_user_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  -- In the order of ids, which an update does not keep.
  perform from app.users as u where u.id = any (p_user_ids) order by u.id for no key update;
  -- An update, because a lock is not enough: a vote without delay reads the memberships of its snapshot, and
  -- must fail and retry.
  update app.users as u set ended_at = u.ended_at where u.id = any (p_user_ids);
end
$$;
comment on function app.update_actors is
  'Locks the user rows of people who join or leave a Hub, against app.lock_actor: their activity and its deletion come '
  'before or after this transaction.';

-- Otherwise neither transaction would update the source of the Hub.
create function app.lock_actor(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.users as u where u.id = p_user_id for share;
end
$$;
comment on function app.lock_actor is
  'Locks the user row of a person for share, against app.update_actors, in a transaction that records or deletes their '
  'activity: their joins and leaves come before or after it.';

-- An event has its newest time only, and later pages read the feed as it was at page one.
create function app.keep_former_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, begun_by, ended_at, ended_by)
  values (
    old.hub_id, old.actor_id, old.post_id, old.kind, old.occurred_at, old.begun_by, app.now(), pg_current_xact_id()
  );
  return null;
end
$$;
comment on function app.keep_former_event is 'Trigger: keeps the former time of a repeated event for a day.';

create trigger memberships_feed_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.add_activity_to_hubs();

create trigger memberships_feed_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.end_activity_in_hubs();

create trigger feed_events_keep_former_after_update after update of occurred_at on app.feed_events
for each row when (new.occurred_at > old.occurred_at)
execute function app.keep_former_event();
