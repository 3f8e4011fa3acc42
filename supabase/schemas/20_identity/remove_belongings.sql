create function app.remove_belongings(p_user_id uuid)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_post_ids uuid[];
begin
  -- Posts in one transaction and comments in others, so that each locks posts in the order of their ids.
  v_post_ids := array(select p.id from app.posts as p where p.author_id = p_user_id order by p.id limit 200);
  if v_post_ids <> '{}' then
    perform from app.posts as p
    where p.id in (
      select unnest(v_post_ids)
      union all
      select own.source_post_id from app.posts as own where own.id = any (v_post_ids)
    )
    order by p.id
    for no key update;
    perform from app.posts as p where p.id = any (v_post_ids) order by p.id for update;
    delete from app.posts as p where p.id = any (v_post_ids);
    return true;
  end if;
  perform app.erase_comment(c.id)
  from (select own.id from app.comments as own where own.author_id = p_user_id order by own.post_id limit 200) as c;
  if found then
    return true;
  end if;
  delete from app.articles as a
  where a.author_id = p_user_id and not exists (select from app.posts as p where p.article_id = a.id);
  delete from app.follows
  where ctid in (select f.ctid from app.follows as f where f.follower_id = p_user_id limit 1000);
  delete from app.follows
  where ctid in (select f.ctid from app.follows as f where f.followee_id = p_user_id limit 1000);
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocker_id = p_user_id limit 1000);
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocked_id = p_user_id limit 1000);
  delete from app.notifications
  where id in (select n.id from app.notifications as n where n.recipient_id = p_user_id limit 1000);
  delete from app.notifications
  where id in (
    select n.id from app.events as e join app.notifications as n on n.event_id = e.id where e.actor_id = p_user_id limit 5000
  );
  delete from app.events
  where id in (
    select e.id from app.events as e
    where e.actor_id = p_user_id and not exists (select from app.notifications as n where n.event_id = e.id)
    limit 1000
  );
  delete from app.events
  where id in (select e.id from app.events as e where e.subject_id = p_user_id limit 1000);
  update app.messages
  set author_id = null, asset_id = null
  where id in (select m.id from app.messages as m where m.author_id = p_user_id limit 1000);
  delete from app.feed_shares
  where ctid in (select s.ctid from app.feed_shares as s where s.user_id = p_user_id limit 1000);
  update app.placements
  set placed_by = null
  where ctid in (select p.ctid from app.placements as p where p.placed_by = p_user_id limit 1000);
  update app.feed_events
  set actor_id = null
  where ctid in (select e.ctid from app.feed_events as e where e.actor_id = p_user_id and e.kind = 'shared_to_hub' limit 1000);
  update app.feed_events
  set lost_at = app.now(), lost_by = pg_current_xact_id()
  where ctid in (
    select e.ctid from app.feed_events as e
    where e.actor_id = p_user_id and e.kind <> 'shared_to_hub' and e.lost_at is null limit 1000
  );
  if exists (select from app.follows where follower_id = p_user_id)
    or exists (select from app.follows where followee_id = p_user_id)
    or exists (select from app.blocks where blocker_id = p_user_id)
    or exists (select from app.blocks where blocked_id = p_user_id)
    or exists (select from app.notifications where recipient_id = p_user_id)
    or exists (select from app.events where actor_id = p_user_id)
    or exists (select from app.events where subject_id = p_user_id)
    or exists (select from app.feed_shares where user_id = p_user_id)
    or exists (select from app.placements where placed_by = p_user_id)
    or exists (select from app.feed_events where actor_id = p_user_id and lost_at is null)
    or exists (select from app.messages where author_id = p_user_id) then
    return true;
  end if;
  update app.hubs as h
  set photo_asset_id = null
  from app.assets as a
  where a.owner_id = p_user_id and h.photo_asset_id = a.id;
  delete from app.follow_counts where user_id = p_user_id;
  delete from app.inbox_counts where user_id = p_user_id;
  delete from app.assets where owner_id = p_user_id;
  update app.stored_objects set expires_at = app.now() where owner_id = p_user_id and expires_at is null;
  return false;
end
$$;
comment on function app.remove_belongings(uuid) is 'Removes a part of what an ended account left behind, and answers whether there is more. Its objects go onto the worker''s list.';

revoke all on function app.remove_belongings(uuid) from public;
