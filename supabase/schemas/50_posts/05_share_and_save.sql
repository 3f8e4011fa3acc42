-- Checks that a post may have a share link.
--
-- Args: postId. Returns postId, from which the service makes the link.
create function api.get_share_link(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_post app.posts;
begin
  perform app.require_level(2);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not app.is_shareable(v_post) then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  return jsonb_build_object('postId', v_post.id);
end
$$;
comment on function api.get_share_link is 'GET /posts/{postId}/share-link (docs/product.md PO23).';
grant execute on function api.get_share_link to authenticated;

-- Shares a post to the caller's own feed. A repeat is another share, and the last one counts.
--
-- Args: postId. Returns shareId, postId, sharedAt.
create function api.share_to_feed(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  insert into app.feed_shares as s (user_id, post_id)
  values (app.user_id(), (app.require_post((p_args ->> 'postId')::uuid)).id)
  on conflict (user_id, post_id) do update set id = excluded.id;
  perform app.use_limit('shares');
  -- The post may have been hidden while the insert waited.
  return app.found(app.feed_share_json((p_args ->> 'postId')::uuid), 'POST_NOT_FOUND');
end
$$;
comment on function api.share_to_feed is 'POST /posts/{postId}/share/feed (docs/product.md PO20).';
grant execute on function api.share_to_feed to authenticated;

create function app.feed_share_json(p_post_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
    from app.feed_shares as s
    where s.user_id = app.user_id() and s.post_id = p_post_id and app.sees_post(p_post_id)
  );
end
$$;
comment on function app.feed_share_json is
  'Returns the share of a post by the caller (docs/product.md PO20); null without one, or for a hidden post.';
grant execute on function app.feed_share_json to authenticated;

create function app.record_feed_share() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.feed_changes (kind, subject_id, object_id, former_at)
  values ('feed_shares', new.user_id, new.post_id, old.shared_at);
  perform app.record_activity('shared_to_feed', new.user_id, new.post_id, new.shared_at);
  perform app.count_trending('shared_to_feed', new.user_id, new.post_id);
  perform app.emit('post_shared_to_feed', p_actor_id => new.user_id, p_post_id => new.post_id);
  return null;
end
$$;
comment on function app.record_feed_share is
  'Trigger: adds a feed share, first or repeated, to the feeds of others, raises the trending score of the post, and '
  'emits the event.';

-- It never moves back, because the transaction of a later share may have begun earlier.
create function app.renew_feed_share() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.shared_at := greatest(old.shared_at, app.now());
  return new;
end
$$;
comment on function app.renew_feed_share is 'Trigger: sets the time of a repeated share (a new id) to now.';

-- Takes a post out of a Hub.
--
-- Args: hubId, postId. Returns {}.
create function api.remove_hub_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_member(v_hub_id, 'admin', 'POST_NOT_FOUND');
  perform app.delete_placement(v_hub_id, (p_args ->> 'postId')::uuid);
  return '{}'::jsonb;
end
$$;
comment on function api.remove_hub_post is 'DELETE /hubs/{hubId}/posts/{postId} (docs/product.md H28).';
grant execute on function api.remove_hub_post to authenticated;

-- Takes a post out of a Hub for one of its admins, whether they see the post or not.
--
-- Errors: those of app.lock_member, POST_NOT_FOUND (not in the Hub).
create function app.delete_placement(p_hub_id uuid, p_post_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.lock_member(p_hub_id, 'admin', 'POST_NOT_FOUND');
  -- The locks of app.insert_placements: a share of the post comes before or after.
  perform pg_advisory_xact_lock(app.placements_key(p_post_id));
  perform from app.posts as p where p.id = p_post_id for no key update;
  if not exists (select from app.placements as p where p.post_id = p_post_id and p.hub_id = p_hub_id) then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  perform app.delete_placements(p_hub_id, array[p_post_id]);
end
$$;
comment on function app.delete_placement is 'Takes a post out of a Hub for one of its admins (docs/product.md H28).';
grant execute on function app.delete_placement to authenticated;

-- Takes posts, which the caller has locked, out of a Hub.
--
-- It deletes the placements with their discussions, and the events and notifications of the posts in this
-- Hub, and ends their shares in feeds. Pools and pending totals stay for a later share.
create function app.delete_placements(p_hub_id uuid, p_post_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.events as e where e.post_id = any (p_post_ids) and e.hub_id = p_hub_id;
  delete from app.placements as p where p.post_id = any (p_post_ids) and p.hub_id = p_hub_id;
  -- The activity of members on a public post keeps it in feeds.
  update app.feed_events as e
  set ended_at = app.now(), ended_by = pg_current_xact_id()
  where e.post_id = any (p_post_ids) and e.hub_id = p_hub_id and app.is_placement(e.kind)
    and e.ended_at is null;
end
$$;
comment on function app.delete_placements is 'Takes posts out of a Hub (docs/product.md H28).';

-- Takes what a member placed in a Hub out of it, own posts and shares, before they are removed from it.
--
-- The locks come in the order of docs/architecture.md: the membership, without which they place nothing more,
-- then the user, as the removal itself locks it, then the posts.
create function app.delete_placements_of(p_user_id uuid, p_hub_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.memberships as m where m.hub_id = p_hub_id and m.user_id = p_user_id for update;
  perform from app.users as u where u.id = p_user_id for no key update;
  perform app.delete_placements(p_hub_id, array(
    select p.id
    from app.posts as p
    where p.id in (
      select placed.post_id
      from app.placements as placed
      where placed.hub_id = p_hub_id and placed.placed_by = p_user_id
    )
    order by p.id
    for no key update
  ));
end
$$;
comment on function app.delete_placements_of is
  'Takes out of a Hub all that a member placed there (docs/product.md H31).';

create function app.delete_member_placements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.delete_placements_of(old.user_id, old.hub_id);
  return old;
end
$$;
comment on function app.delete_member_placements is
  'Trigger: a membership that removes_posts takes along what the member placed (docs/product.md H31).';

create trigger memberships_delete_placements_before_delete before delete on app.memberships
for each row when (old.removes_posts)
execute function app.delete_member_placements();

-- It notifies no one. It cancels the update if the caller was the last to share the post there.
create function app.on_placements_share_again() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_sharer_id uuid;
begin
  select e.actor_id into v_sharer_id
  from app.feed_events as e
  where e.post_id = old.post_id and e.source_id = old.hub_id and app.is_placement(e.kind)
    and e.ended_at is null
  order by e.occurred_at desc, e.kind desc
  limit 1;
  if v_sharer_id = app.user_id() then
    return null;
  end if;
  new.last_shared_at := greatest(old.last_shared_at, app.now());
  insert into app.feed_events as e (hub_id, actor_id, post_id, kind, occurred_at)
  values (old.hub_id, app.user_id(), old.post_id, 'shared_to_hub', new.last_shared_at)
  on conflict (post_id, source_id, actor_id, kind) where ended_at is null
  do update set occurred_at = excluded.occurred_at, begun_by = excluded.begun_by
  where excluded.occurred_at > e.occurred_at;
  return new;
end
$$;
comment on function app.on_placements_share_again is
  'Trigger: moves a post up in the feed of a Hub, and in those of its other members, when a member shares it there '
  'again (docs/product.md PO22).';

-- Saves a post for the caller.
--
-- Args: postId. Returns saved.
create function api.save_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  insert into app.saved_posts (user_id, post_id)
  values (app.user_id(), (app.require_post((p_args ->> 'postId')::uuid)).id)
  on conflict (user_id, post_id) do nothing;
  return '{"saved": true}'::jsonb;
end
$$;
comment on function api.save_post is 'POST /posts/{postId}/save (docs/product.md PO19).';
grant execute on function api.save_post to authenticated;

create function app.save_state(p_post app.posts) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('saved', exists (
    select from app.saved_posts as s where s.user_id = app.user_id() and s.post_id = p_post.id
  ));
end
$$;
comment on function app.save_state is
  'Returns whether the caller has saved a post that they see (docs/product.md PO19).';
grant execute on function app.save_state to authenticated;

-- Removes a post from the saved posts of the caller.
--
-- Args: postId. Returns saved.
create function api.unsave_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  delete from app.saved_posts as s where s.user_id = app.user_id() and s.post_id = (p_args ->> 'postId')::uuid;
  if not found and not app.was_public((p_args ->> 'postId')::uuid) then
    perform app.require_post((p_args ->> 'postId')::uuid);
  end if;
  return '{"saved": false}'::jsonb;
end
$$;
comment on function api.unsave_post is 'DELETE /posts/{postId}/save (docs/product.md PO19).';
grant execute on function api.unsave_post to authenticated;

create function app.was_public(p_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from app.posts as p where p.id = p_post_id and p.is_public);
end
$$;
comment on function app.was_public is
  'Returns whether a post exists that everybody saw, hidden from the caller by now or not (docs/product.md PO19).';
grant execute on function app.was_public to authenticated;

create trigger placements_share_again_before_update before update of last_shared_at on app.placements
for each row execute function app.on_placements_share_again();

create trigger feed_shares_record_after_insert after insert on app.feed_shares
for each row execute function app.record_feed_share();

create trigger feed_shares_renew_before_update before update of id on app.feed_shares
for each row execute function app.renew_feed_share();

create trigger feed_shares_record_after_update after update of id on app.feed_shares
for each row execute function app.record_feed_share();

create function app.record_feed_share_deletion() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A deleted post takes its shares along, and nothing of it is to be counted or shown again.
  if exists (select from app.posts as p where p.id = old.post_id) then
    insert into app.feed_changes (kind, subject_id, object_id, former_at)
    values ('feed_shares', old.user_id, old.post_id, old.shared_at);
    perform app.count_trending('shared_to_feed', old.user_id, old.post_id);
  end if;
  return null;
end
$$;
comment on function app.record_feed_share_deletion is
  'Trigger: a deleted feed share counts no more in the trending score of its post, and later pages know of it.';

create trigger feed_shares_record_after_delete after delete on app.feed_shares
for each row execute function app.record_feed_share_deletion();
