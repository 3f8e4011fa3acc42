-- Follows a user.
--
-- Args: userId. Returns following.
create function api.follow_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_followee_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_level(2);
  perform app.lock_pair(app.user_id(), v_followee_id);
  perform app.require_person(v_followee_id);
  perform app.insert_follow(v_followee_id);
  perform app.use_limit('follows');
  return '{"following": true}'::jsonb;
end
$$;
comment on function api.follow_user is 'POST /users/{userId}/follow (docs/product.md P13).';
grant execute on function api.follow_user to authenticated;

-- Errors: FORBIDDEN for a blocked pair, CANNOT_FOLLOW_SELF by follows_are_of_others, ALREADY_FOLLOWING by
-- follows_pkey.
create function app.insert_follow(p_followee_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from app.blocked_users as b where b.user_id = p_followee_id) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  insert into app.follows (follower_id, followee_id) values (app.user_id(), p_followee_id);
  perform app.emit('user_followed', p_actor_id => app.user_id(), p_subject_id => p_followee_id);
end
$$;
comment on function app.insert_follow is 'Inserts a follow of the caller and emits the event.';
grant execute on function app.insert_follow to authenticated;

-- Unfollows a user.
--
-- Args: userId. Returns following, also if there was no follow.
create function api.unfollow_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  delete from app.follows as f where f.follower_id = app.user_id() and f.followee_id = (p_args ->> 'userId')::uuid;
  if not found and not app.is_gone((p_args ->> 'userId')::uuid) then
    perform app.require_person((p_args ->> 'userId')::uuid);
  end if;
  return '{"following": false}'::jsonb;
end
$$;
comment on function api.unfollow_user is 'DELETE /users/{userId}/follow (docs/product.md P15).';
grant execute on function api.unfollow_user to authenticated;

create function app.is_gone(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select
    from app.users as u
    where u.id = p_user_id
      and (u.ended_at is not null or exists (select from app.suspensions as s where s.user_id = u.id))
  );
end
$$;
comment on function app.is_gone is 'Returns whether an account is suspended or has ended (docs/product.md P15).';
grant execute on function app.is_gone to authenticated;

-- Mutes or unmutes the publications of a followed user.
--
-- Args: userId, publicPostsMuted. Returns publicPostsMuted.
create function api.update_follow(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  perform app.require_arguments(p_args, 'publicPostsMuted');
  update app.follows as f
  set is_muted = app.argument(p_args, 'publicPostsMuted', 'boolean')::boolean
  where f.follower_id = app.user_id()
    and f.followee_id = (p_args ->> 'userId')::uuid
    and exists (select from app.profiles as p where p.user_id = f.followee_id);
  if not found then
    raise exception using errcode = 'PT404', message = 'FOLLOW_NOT_FOUND';
  end if;
  return jsonb_build_object('publicPostsMuted', p_args -> 'publicPostsMuted');
end
$$;
comment on function api.update_follow is 'PATCH /users/{userId}/notification-settings (docs/product.md P14).';
grant execute on function api.update_follow to authenticated;

create function app.count_follows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  v_side record;
begin
  -- Every writer updates these rows in the order of ids, which prevents deadlocks.
  for v_side in
    select side.user_id, v_sign * sum(side.followers) as follower_count, v_sign * sum(side.following) as following_count
    from (
      select f.followee_id as user_id, 1 as followers, 0 as following from changed as f
      union all
      select f.follower_id, 0, 1 from changed as f
    ) as side
    group by side.user_id
    order by side.user_id
  loop
    update app.follow_counts as c
    set follower_count = c.follower_count + v_side.follower_count,
      following_count = c.following_count + v_side.following_count
    where c.user_id = v_side.user_id;
    -- After a delete a missing row was deleted with its user.
    if not found and tg_op = 'INSERT' then
      insert into app.follow_counts as c (user_id, follower_count, following_count)
      values (v_side.user_id, v_side.follower_count, v_side.following_count)
      on conflict (user_id) do update
        set follower_count = c.follower_count + excluded.follower_count,
          following_count = c.following_count + excluded.following_count;
    end if;
  end loop;
  return null;
end
$$;
comment on function app.count_follows is
  'Trigger: maintains app.follow_counts after each statement that inserts or deletes follows.';

create view app.follow_sides with (security_invoker = true) as
select f.followee_id as user_id, 'followers' as side, f.follower_id as other_id, f.created_at from app.follows as f
union all
select f.follower_id, 'following', f.followee_id, f.created_at from app.follows as f;
comment on view app.follow_sides is
  'Two rows per follow, one from each side: other_id is in the list side (followers or following) of user_id.';
grant select on app.follow_sides to authenticated;

-- A definer function, because the policy of follows costs more than own rows, which it always shows.
create function app.viewer_follows(p_user_ids uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select f.followee_id from app.follows as f where f.follower_id = app.user_id() and f.followee_id = any (p_user_ids)
  );
end
$$;
comment on function app.viewer_follows is 'Returns those of the people whom the caller follows; nobody for a guest.';
grant execute on function app.viewer_follows to anon, authenticated;

create function app.viewer_relation(p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_viewer_id uuid := app.user_id();
  v_is_muted boolean;
begin
  if v_viewer_id is null then
    return null;
  end if;
  select f.is_muted into v_is_muted
  from app.follows as f
  where f.follower_id = v_viewer_id and f.followee_id = p_user_id;
  return jsonb_build_object(
    'follows', found,
    'followedBy', exists (select from app.follows as f where f.follower_id = p_user_id and f.followee_id = v_viewer_id),
    'blocking', exists (select from app.blocks as b where b.blocker_id = v_viewer_id and b.blocked_id = p_user_id),
    'publicPostsMuted', coalesce(v_is_muted, false)
  );
end
$$;
comment on function app.viewer_relation is
  'Returns the follows and blocks between the caller and a user (docs/product.md P6); null for a guest.';
grant execute on function app.viewer_relation to anon, authenticated;

-- Lists the followers of a user.
--
-- Args: userId, q, cursor, limit. Returns items and nextCursor (see app.people_page).
create function api.list_followers(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
begin
  return app.people_page(p_args, 'followers');
end
$$;
comment on function api.list_followers is 'GET /users/{userId}/followers (docs/product.md P16).';
grant execute on function api.list_followers to authenticated;

-- Lists the users that a user follows.
--
-- Args: userId, q, cursor, limit. Returns items and nextCursor (see app.people_page).
create function api.list_following(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
begin
  return app.people_page(p_args, 'following');
end
$$;
comment on function api.list_following is 'GET /users/{userId}/following (docs/product.md P16).';
grant execute on function api.list_following to authenticated;

-- Args: p_args (userId, q, cursor, limit), p_side (followers or following). Returns items (UserLite and
-- viewerFollows) and nextCursor. Errors: UNAUTHORIZED, USER_NOT_FOUND, VALIDATION_FAILED for a cursor of
-- another list.
create function app.people_page(p_args jsonb, p_side text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_' || p_side, p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_query text := nullif(app.text_argument(p_args, 'q', 0, 80), '');
  v_handle text := app.handle_key(v_query);
  v_key text := app.search_key(v_query);
  -- Most names do not match q, so a request scans a bounded window and its cursor continues after it.
  v_window integer := case when v_key is not null then 10000 end;
  v_page app.list_entry[];
  v_end app.list_entry;
begin
  perform app.require_level(1);
  perform app.require_person(v_user_id);
  v_page := array(
    select (s.created_at, s.other_id)::app.list_entry
    from (
      select f.created_at, f.other_id
      from app.follow_sides as f
      where f.user_id = v_user_id and f.side = p_side
        and f.other_id not in (select h.user_id from app.hidden_users as h)
        and (f.created_at, f.other_id) < (v_from.at, v_from.id)
      order by f.created_at desc, f.other_id desc
      limit v_window
    ) as s
    join app.profiles as p on p.user_id = s.other_id
    where v_key is null or app.name_matches(p, v_handle, v_key)
    order by s.created_at desc, s.other_id desc
    limit v_limit + 1
  );
  if cardinality(v_page) > v_limit then
    v_end := v_page[v_limit];
  elsif v_key <> '' or starts_with(v_handle, '_') then
    select f.created_at, f.other_id into v_end
    from app.follow_sides as f
    where f.user_id = v_user_id and f.side = p_side
      and f.other_id not in (select h.user_id from app.hidden_users as h)
      and (f.created_at, f.other_id) < (v_from.at, v_from.id)
    order by f.created_at desc, f.other_id desc
    offset v_window - 1
    limit 1;
  end if;
  return jsonb_build_object(
    'items', app.people_json(v_page[:v_limit]), 'nextCursor', app.encode_cursor(v_list, v_end.at, v_end.id)
  );
end
$$;
comment on function app.people_page is 'Returns a page of the followers or following of a user, newest first.';
grant execute on function app.people_page to authenticated;

create function app.people_json(p_entries app.list_entry[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_followed_ids uuid[] := app.viewer_follows(array(select entry.id from unnest(p_entries) as entry));
begin
  return (
    select coalesce(jsonb_agg(
      app.user_lite(p) || jsonb_build_object('viewerFollows', p.user_id = any (v_followed_ids)) order by entry.place
    ), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.profiles as p on p.user_id = entry.id
  );
end
$$;
comment on function app.people_json is
  'Returns the people of a list, in its order, as UserLite with viewerFollows (docs/product.md P5, P16).';
grant execute on function app.people_json to authenticated;

-- Returns whether the username begins with p_handle (app.handle_key), or the name from one of its words on
-- with p_key (app.search_key). Empty keys match nothing.
create function app.name_matches(p_profile app.profiles, p_handle text, p_key text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_handle <> '' and starts_with(p_profile.username, p_handle)
    or p_key <> '' and position(' ' || p_key in ' ' || p_profile.search_name) > 0;
end
$$;
comment on function app.name_matches is 'Returns whether a local search finds a person (docs/product.md P16).';
grant execute on function app.name_matches to authenticated;

-- Errors: USER_NOT_FOUND.
create function app.require_person(p_user_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.profiles as p where p.user_id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  return p_user_id;
end
$$;
comment on function app.require_person is 'Returns p_user_id if it is a registered user that the caller may see.';
grant execute on function app.require_person to anon, authenticated;

create trigger follows_count_after_insert after insert on app.follows
referencing new table as changed
for each statement execute function app.count_follows();

create trigger follows_count_after_delete after delete on app.follows
referencing old table as changed
for each statement execute function app.count_follows();
