-- The pages of a feed show the feed as it was at page one, without the posts that its reader may no longer
-- see.
--
-- Each relation here returns what counted when the first page of p_after was read
-- (docs/decisions/011-feeds.md). On page one that is the present. They stand in FROM, where the planner
-- inlines them.

-- Page one itself needs no snapshot: it reads the present, and the snapshot would cost a twentieth of it.
create function app.counted_at(
  p_after app.feed_cursor, p_occurred_at timestamptz, p_begun_by xid8, p_ended_by xid8
) returns boolean language sql stable
return p_occurred_at <= p_after.began_at
  and (p_begun_by is null or p_after.at = 'infinity' or pg_visible_in_snapshot(p_begun_by, p_after.seen))
  and (p_ended_by is null or (p_after.at <> 'infinity' and not pg_visible_in_snapshot(p_ended_by, p_after.seen)));
comment on function app.counted_at is 'Returns whether an event with these times and transactions counted at page one.';

-- The first condition follows from the second, and lets an index find the changes.
create function app.is_since(p_after app.feed_cursor, p_changed_by xid8) returns boolean
language sql stable
return p_changed_by >= pg_snapshot_xmin(p_after.seen) and not pg_visible_in_snapshot(p_changed_by, p_after.seen);
comment on function app.is_since is 'Returns whether a transaction was not yet committed at page one.';

-- The first change since page one says how a thing was then.
create function app.changed_since(p_after app.feed_cursor) returns setof app.feed_changes
language plpgsql stable set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return;
  end if;
  return query
  select distinct on (c.kind, c.object_id) c.*
  from app.feed_changes as c
  where (c.subject_id = app.user_id() or c.subject_id is null) and c.kind <> 'feed_shares'
    and app.is_since(p_after, c.changed_by)
  order by c.kind, c.object_id, c.id;
end
$$;
comment on function app.changed_since is
  'Returns what has changed for the caller''s feeds since page one, each thing once, as it was at page one.';

-- Inlined, so that a condition on a source reaches the index of follows, and a kind leaves the other out.
create function app.sources_at(p_after app.feed_cursor, p_kinds text[] default '{follows,memberships}')
returns setof uuid
language sql stable
begin atomic
  select s.source_id
  from app.my_sources as s
  where s.kind = any (p_kinds)
    and (s.kind, s.source_id) not in (select c.kind, c.object_id from app.changed_since(p_after) as c)
  union all
  select c.object_id
  from app.changed_since(p_after) as c
  where c.kind = any (p_kinds) and c.former_at is not null;
end;
comment on function app.sources_at is
  'Returns the sources that the caller''s home feed read at page one: followed people and Hubs.';

create function app.default_users_at(p_after app.feed_cursor) returns setof uuid
language sql stable
begin atomic
  select d.user_id
  from app.default_feed_users as d
  where d.user_id not in (
    select c.object_id from app.changed_since(p_after) as c where c.kind = 'default_feed_users'
  )
  union all
  select c.object_id
  from app.changed_since(p_after) as c
  where c.kind = 'default_feed_users' and c.former_at is not null;
end;
comment on function app.default_users_at is 'Returns the default feed users of page one (docs/product.md F3).';

create function app.unhidden_since(p_after app.feed_cursor) returns setof uuid
language sql stable
begin atomic
  select c.object_id
  from app.changed_since(p_after) as c
  where c.kind in ('blocks', 'blockers', 'suspensions', 'account_deletions') and c.former_at is not null;
end;
comment on function app.unhidden_since is
  'Returns the users hidden from the caller at page one for a reason that has ended since.';

-- Not inlined: a plan that mentions it would take longer to start than to run.
create function app.hidden_at(p_after app.feed_cursor) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return query select h.user_id from app.hidden_users as h;
    return;
  end if;
  return query
  select h.user_id
  from app.hidden_users as h
  where (h.reason, h.user_id) not in (select c.kind, c.object_id from app.changed_since(p_after) as c)
  union all
  select shown.id from app.unhidden_since(p_after) as shown (id);
end
$$;
comment on function app.hidden_at is 'Returns the users hidden from the caller at page one.';

-- What the caller may not see by now is in no page. Args: p_viewer_id (the caller, as app.seen_posts takes
-- it).
create function app.posts_at(p_after app.feed_cursor, p_viewer_id uuid) returns setof app.posts
language sql stable
as $$
  select p.*
  from app.seen_posts(p_viewer_id) as p
  where p.author_id not in (select shown.id from app.unhidden_since(p_after) as shown (id));
$$;
comment on function app.posts_at is
  'Returns the posts that the caller may see, without those of authors who were hidden from them at page one.';

-- The caller's own activity moves nothing in their home feed but posts and targets (docs/product.md F8); for
-- their Hub shares see app.own_shares_at. Queries choose the sources themselves.
create function app.recorded_events_at(p_after app.feed_cursor) returns setof app.feed_events
language sql stable
as $$
  select e.*
  from app.feed_events as e
  where app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by)
    and (e.kind in ('published', 'targeted') or e.actor_id is distinct from (select app.user_id()));
$$;
comment on function app.recorded_events_at is
  'Returns the events that counted in the caller''s home feed at page one, those of hidden users too.';

-- Activity of hidden users does not count; their placements in a common Hub do (docs/product.md P20).
create function app.events_at(p_after app.feed_cursor) returns setof app.feed_events
language sql stable
as $$
  select e.*
  from app.recorded_events_at(p_after) as e
  where app.is_placement(e.kind) or e.actor_id not in (select hidden.id from app.hidden_at(p_after) as hidden (id));
$$;
comment on function app.events_at is 'Returns the events that counted in the caller''s home feed at page one.';

-- The same as app.events_at says, of a few events: it looks up their actors instead of all hidden users.
create function app.without_hidden(p_events app.feed_candidate[], p_after app.feed_cursor)
returns app.feed_candidate[]
language plpgsql stable set search_path = '' as $$
declare
  v_actor_ids uuid[] := array(select distinct event.actor_id from unnest(p_events) as event);
  v_hidden_ids uuid[] := app.hidden_among(v_actor_ids, p_after);
begin
  if v_hidden_ids = '{}' then
    return p_events;
  end if;
  return array(
    select event from unnest(p_events) as event
    where app.is_placement(event.kind) or event.actor_id is null or event.actor_id <> all (v_hidden_ids)
  );
end
$$;
comment on function app.without_hidden is
  'Returns those of some events that counted although their actors may be hidden.';

create function app.hidden_among(p_user_ids uuid[], p_after app.feed_cursor) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return array(
      select wanted.id from unnest(p_user_ids) as wanted (id)
      where exists (select from app.hidden_users as h where h.user_id = wanted.id)
    );
  end if;
  return array(select hidden.id from app.hidden_at(p_after) as hidden (id) where hidden.id = any (p_user_ids));
end
$$;
comment on function app.hidden_among is 'Returns those of some users who were hidden from the caller at page one.';

create function app.own_shares_at(p_after app.feed_cursor) returns setof app.feed_events
language sql stable
as $$
  select e.*
  from app.feed_events as e
  where e.actor_id = (select app.user_id()) and e.kind = 'shared_to_hub'
    and app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by);
$$;
comment on function app.own_shares_at is
  'Returns the caller''s shares into Hubs of page one; these place a post only if nothing else does '
  '(docs/product.md F9).';

-- Keeps how things were before a change, because later pages read the feed as it was at page one.
--
-- Args: the kind of change; the columns of the subject ('' for everybody), the object and the time. Follows,
-- memberships and feed shares, which change often, have statements of their own.
create function app.record_feed_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'insert into app.feed_changes (kind, subject_id, object_id, former_at) select %L, %s, changed.%I, %s from changed',
    tg_argv[0],
    case tg_argv[1] when '' then 'null::uuid' else format('changed.%I', tg_argv[1]) end,
    tg_argv[2],
    case tg_op when 'INSERT' then 'null::timestamptz' else format('changed.%I', tg_argv[3]) end
  );
  return null;
end
$$;
comment on function app.record_feed_changes is 'Trigger: records changes in app.feed_changes.';

create function app.record_follow_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.feed_changes (kind, subject_id, object_id, former_at)
  select 'follows', changed.follower_id, changed.followee_id, case tg_op when 'DELETE' then changed.created_at end
  from changed;
  return null;
end
$$;
comment on function app.record_follow_changes is 'Trigger: records follows and their ends in app.feed_changes.';

create trigger follows_change_after_insert after insert on app.follows
referencing new table as changed
for each statement execute function app.record_follow_changes();

create trigger follows_change_after_delete after delete on app.follows
referencing old table as changed
for each statement execute function app.record_follow_changes();

create trigger blocks_change_after_insert after insert on app.blocks
referencing new table as changed
for each statement execute function app.record_feed_changes('blocks', 'blocker_id', 'blocked_id', 'created_at');

create trigger blocks_change_after_delete after delete on app.blocks
referencing old table as changed
for each statement execute function app.record_feed_changes('blocks', 'blocker_id', 'blocked_id', 'created_at');

create trigger blocks_change_blockers_after_insert after insert on app.blocks
referencing new table as changed
for each statement execute function app.record_feed_changes('blockers', 'blocked_id', 'blocker_id', 'created_at');

create trigger blocks_change_blockers_after_delete after delete on app.blocks
referencing old table as changed
for each statement execute function app.record_feed_changes('blockers', 'blocked_id', 'blocker_id', 'created_at');

create trigger suspensions_change_after_insert after insert on app.suspensions
referencing new table as changed
for each statement execute function app.record_feed_changes('suspensions', '', 'user_id', 'suspended_at');

create trigger suspensions_change_after_delete after delete on app.suspensions
referencing old table as changed
for each statement execute function app.record_feed_changes('suspensions', '', 'user_id', 'suspended_at');

create trigger account_deletions_change_after_insert after insert on app.account_deletions
referencing new table as changed
for each statement execute function app.record_feed_changes('account_deletions', '', 'user_id', 'deleted_at');

create trigger account_deletions_change_after_delete after delete on app.account_deletions
referencing old table as changed
for each statement execute function app.record_feed_changes('account_deletions', '', 'user_id', 'deleted_at');

create trigger default_feed_users_change_after_insert after insert on app.default_feed_users
referencing new table as changed
for each statement execute function app.record_feed_changes('default_feed_users', '', 'user_id', 'added_at');

create trigger default_feed_users_change_after_delete after delete on app.default_feed_users
referencing old table as changed
for each statement execute function app.record_feed_changes('default_feed_users', '', 'user_id', 'added_at');
