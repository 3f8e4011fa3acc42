create function app.record_activity(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_at timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform app.lock_memberships(p_actor_id);
  -- What is just being deleted is waited for, and not found below.
  perform from app.posts as p where p.id = p_post_id for key share;
  insert into app.feed_events as e (hub_id, actor_id, post_id, kind, occurred_at)
  select source.hub_id, p_actor_id, p.id, p_kind, p_at
  from app.posts as p
  cross join (
    select null::uuid as hub_id
    union all
    select m.hub_id from app.memberships as m where m.user_id = p_actor_id
  ) as source
  where p.id = p_post_id and p.is_public
  on conflict (post_id, source_id, actor_id, kind) where lost_at is null
  do update set occurred_at = greatest(e.occurred_at, excluded.occurred_at);
end
$$;
comment on function app.record_activity is 'Notes what somebody did with a post, in their stream and in those of their Hubs; of private posts nothing, as those are found in their Hubs alone.';

create function app.delete_activity(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_latest timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform app.lock_memberships(p_actor_id);
  update app.feed_events as e
  set lost_at = app.now(), lost_by = pg_current_xact_id()
  where e.post_id = p_post_id and e.actor_id = p_actor_id and e.kind = p_kind and e.lost_at is null
    and e.occurred_at is distinct from p_latest;
  if p_latest is not null then
    perform app.record_activity(p_kind, p_actor_id, p_post_id, p_latest);
  end if;
end
$$;
comment on function app.delete_activity is 'Somebody has deleted something of what they did with a post: the latest of its kind that is left is of p_latest, null for none.';

create function app.add_activity_to_hubs()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.lock_activity(m.user_id) from (select present.user_id from present order by present.user_id) as m;
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
  select m.hub_id, e.actor_id, e.post_id, e.kind, e.occurred_at
  from present as m
  join app.feed_events as e on e.actor_id = m.user_id and e.hub_id is null and e.lost_at is null
  -- Each row locks its post.
  order by e.post_id;
  return null;
exception when foreign_key_violation then
  -- One of the posts is just being deleted: the next attempt finds it gone.
  raise exception using errcode = 'serialization_failure', message = 'A post went while acts were brought into a Hub.';
end
$$;
comment on function app.add_activity_to_hubs is 'After people have joined Hubs: what they have done comes into the Hubs'' streams, at its own time.';

create function app.remove_activity_from_hubs()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.lock_activity(m.user_id) from (select former.user_id from former order by former.user_id) as m;
  update app.feed_events as e
  set lost_at = app.now(), lost_by = pg_current_xact_id()
  from former as m
  where e.hub_id = m.hub_id and e.actor_id = m.user_id and e.lost_at is null and e.kind not in ('targeted', 'shared_to_hub');
  return null;
end
$$;
comment on function app.remove_activity_from_hubs is 'After people have left Hubs: what they did counts no more in the Hubs'' streams; what they placed there stays.';

create function app.lock_activity(p_user_id uuid)
returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Not a lock alone: a vote that feeds show at once sees the Hubs of its beginning throughout, and has to fail and begin again.
  update app.users as u set ended_at = u.ended_at where u.id = p_user_id;
end
$$;
comment on function app.lock_activity is 'Lets what somebody does and takes back (app.lock_memberships) come before or after this transaction, in which they join or leave a Hub, not between.';

create function app.lock_memberships(p_user_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform from app.users as u where u.id = p_user_id for share;
end
$$;
comment on function app.lock_memberships is 'Lets whoever joins or leaves a Hub (app.lock_activity) come before or after this transaction, in which they do something that Hubs'' streams show, or take it back: else neither of the two would bring it there, or take it away.';
grant execute on function app.lock_memberships to authenticated;

create function app.keep_former_event()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, lost_at, lost_by)
  values (old.hub_id, old.actor_id, old.post_id, old.kind, old.occurred_at, app.now(), pg_current_xact_id());
  return null;
end
$$;
comment on function app.keep_former_event is 'After somebody repeated what they did with a post: keeps for a day when they did it before, so that walks under way find the post where it was.';

create function app.keep_former_sources()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  execute format(
    'insert into app.former_sources (user_id, source_id)
    select u.id, former.%2$I from former join app.users as u on u.id = former.%1$I order by 1, 2
    on conflict (user_id, source_id) do update set ended_at = excluded.ended_at, ended_by = excluded.ended_by',
    tg_argv[0], tg_argv[1]
  );
  return null;
end
$$;
comment on function app.keep_former_sources is 'After follows or memberships have ended: keeps whose streams were read by whom, the columns that are the trigger''s arguments.';

create function app.prune_feeds()
returns void
language sql
security definer
set search_path = ''
begin atomic
  delete from app.feed_events
  where ctid in (select e.ctid from app.feed_events as e where e.lost_at <= app.now() - interval '1 day' limit 20000);
  delete from app.former_sources where ended_at <= app.now() - interval '1 day';
  delete from app.score_changes
  where ctid in (select c.ctid from app.score_changes as c where c.changed_at <= app.now() - interval '1 day' limit 20000);
end;
comment on function app.prune_feeds is 'Upkeep: deletes a part of what walks through feeds had to know that began more than a day ago.';
grant execute on function app.prune_feeds to opine_worker;

create trigger follows_end_after_delete after delete on app.follows
referencing old table as former
for each statement execute function app.keep_former_sources('follower_id', 'followee_id');

create trigger memberships_feed_after_insert after insert on app.memberships
referencing new table as present
for each statement execute function app.add_activity_to_hubs();

create trigger memberships_feed_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.remove_activity_from_hubs();

create trigger memberships_end_after_delete after delete on app.memberships
referencing old table as former
for each statement execute function app.keep_former_sources('user_id', 'hub_id');

-- Walks are pinned where a post had no activity for seven days, and in the feeds of Hubs. They last a day at most.
create trigger feed_events_keep_former_after_update after update of occurred_at on app.feed_events
for each row
when (
  new.occurred_at > old.occurred_at and (new.kind = 'shared_to_hub' or new.occurred_at > old.occurred_at + interval '7 days')
)
execute function app.keep_former_event();
