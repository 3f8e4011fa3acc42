-- Completes the media step, with or without a profile photo.
--
-- Args: profileAssetId (or null). Returns nextStep, status and profile.
create function api.complete_media(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_status jsonb;
begin
  perform app.require_level(2);
  if p_args ->> 'profileAssetId' is not null then
    update app.profiles as p
    set photo_asset_id = app.photo_or(p.photo_asset_id, p_args)
    where p.user_id = app.user_id();
  end if;
  update app.users as u
  set media_completed_at = coalesce(u.media_completed_at, app.now())
  where u.id = app.user_id();
  v_status := app.onboarding_status();
  return jsonb_build_object('nextStep', v_status -> 'nextStep', 'status', v_status, 'profile', app.own_profile());
end
$$;
comment on function api.complete_media is 'PUT /users/me/onboarding/media (docs/product.md O4).';
grant execute on function api.complete_media to authenticated;

-- Reads a public profile.
--
-- Args: userId. Returns the public profile.
create function api.get_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
begin
  perform app.require_person((p_args ->> 'userId')::uuid);
  return app.public_profile((p_args ->> 'userId')::uuid);
end
$$;
comment on function api.get_profile is 'GET /users/{userId}/profile (docs/product.md P6, P8, P18).';
grant execute on function api.get_profile to anon, authenticated;

-- Reads the public profile of the present owner of a username.
--
-- Args: username. Returns the public profile.
create function api.get_profile_by_username(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = p_args ->> 'username');
begin
  perform app.require_person(v_user_id);
  return app.public_profile(v_user_id);
end
$$;
comment on function api.get_profile_by_username is 'GET /users/by-username/{username} (docs/product.md P6, P8).';
grant execute on function api.get_profile_by_username to anon, authenticated;

-- It forces a generic plan, because planning costs more than running.
create function app.public_profile(p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select jsonb_build_object(
      'id', person.id,
      'name', p.full_name,
      'username', p.username,
      'bio', p.bio,
      'profilePhotoUrl', app.photo_url(p.photo_asset_id),
      'isAnonymous', p.user_id is null,
      'counts', jsonb_build_object(
        'followers', coalesce(c.follower_count, 0), 'following', coalesce(c.following_count, 0)
      ),
      'activity', jsonb_build_object(
        'posts', published.post_count,
        'reposts', published.repost_count,
        'comments', app.comment_count(person.id),
        'votes', app.vote_count(person.id)
      ),
      'adminHubs', app.admin_hubs(person.id),
      'viewer', app.viewer_relation(person.id)
    )
    from (values (p_user_id)) as person (id)
    left join app.profiles as p on p.user_id = person.id
    left join app.follow_counts as c on c.user_id = person.id
    cross join lateral app.seen_post_counts(person.id) as published
  );
end
$$;
comment on function app.public_profile is
  'Returns the public profile of a user (docs/product.md P6), as far as the caller sees it.';
grant execute on function app.public_profile to anon, authenticated;

-- A definer function, because the policy of posts looks each of them up.
create function app.seen_post_counts(p_author_id uuid, out post_count bigint, out repost_count bigint) returns record
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_viewer_id uuid := app.user_id();
begin
  select count(*) filter (where p.source_post_id is null), count(p.source_post_id)
  into seen_post_counts.post_count, seen_post_counts.repost_count
  from app.seen_posts(v_viewer_id) as p
  where p.author_id = p_author_id;
end
$$;
comment on function app.seen_post_counts is
  'Returns how many posts and reposts of a person the caller may see (docs/product.md P6).';
grant execute on function app.seen_post_counts to anon, authenticated;

-- No other membership is public, so this bypasses policies.
create function app.admin_hubs(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', h.id, 'name', h.name, 'profilePhotoUrl', app.photo_url(h.photo_asset_id)
      ) order by m.joined_at, h.id
    ), '[]')
    from app.memberships as m
    join app.hubs as h on h.id = m.hub_id
    where m.user_id = p_user_id and m.role = 'admin'
  );
end
$$;
comment on function app.admin_hubs is
  'Returns the Hubs that a user is admin of, as the public profile names them (docs/product.md P6).';
grant execute on function app.admin_hubs to anon, authenticated;

-- It bypasses policies, because a visibility check of each comment's post would make a profile as slow as its
-- user is talkative.
create function app.comment_count(p_user_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*) from app.comments as c where c.author_id = p_user_id);
end
$$;
comment on function app.comment_count is 'Returns the number of existing comments of a user.';
grant execute on function app.comment_count to anon, authenticated;

-- It reads an index alone. Other users see a vote at least half an hour late, together with all votes of that
-- half hour: an observer of both this count and the results of a post could otherwise tell who voted how.
create function app.vote_count(p_user_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  v_lag interval := interval '30 minutes';
  v_until timestamptz := date_bin(v_lag, app.now() - v_lag, timestamptz 'epoch');
begin
  if p_user_id = app.user_id() then
    return (select count(*) from app.vote_receipts as r where r.user_id = p_user_id);
  end if;
  -- Leave out votes that no feed shows yet.
  return (
    select count(*) from app.vote_receipts as r where r.user_id = p_user_id and r.voted_at < v_until
  ) - (
    select count(*)
    from app.held_votes as h
    join app.vote_receipts as own on own.post_id = h.post_id and own.user_id = h.user_id
    where h.user_id = p_user_id and coalesce(h.released_at, 'infinity') >= v_until and own.voted_at < v_until
  );
end
$$;
comment on function app.vote_count is 'Returns the number of votes of a user (docs/product.md P7).';
grant execute on function app.vote_count to anon, authenticated;

-- Reads the caller's own profile.
--
-- Returns the own profile.
create function api.get_own_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(1);
  return app.own_profile();
end
$$;
comment on function api.get_own_profile is 'GET /users/me/profile (docs/product.md P9).';
grant execute on function api.get_own_profile to authenticated;

-- Errors: UNAUTHORIZED if the account has ended, even after the operation began.
create function app.own_profile() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select app.public_profile(u.id) || jsonb_build_object(
      'fullName', p.full_name,
      'phoneNumber', u.phone,
      'level', app.require_level(1),
      'createdAt', app.iso(u.created_at),
      'editable', jsonb_build_object(
        'fullName', p.full_name, 'username', p.username, 'bio', p.bio, 'profileAssetId', p.photo_asset_id
      )
    )
    from app.users as u
    left join app.profiles as p on p.user_id = u.id
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.own_profile is
  'Returns the caller''s own profile (docs/product.md P9): the public one and the fields for its owner alone.';
grant execute on function app.own_profile to authenticated;

-- Changes the caller's public profile. The commit deletes a replaced photo that nothing else shows.
--
-- Args: any of fullName, username, bio, profileAssetId; null clears the bio and removes the photo. Returns
-- the own profile.
create function api.update_own_profile(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  perform app.require_any_argument(p_args, 'fullName', 'username', 'bio', 'profileAssetId');
  update app.profiles as p
  set full_name = coalesce(app.name_argument(p_args, 'fullName'), p.full_name),
    username = coalesce(app.text_argument(p_args, 'username'), p.username),
    bio = case when p_args ? 'bio' then nullif(app.text_argument(p_args, 'bio'), '') else p.bio end,
    photo_asset_id = app.photo_or(p.photo_asset_id, p_args)
  where p.user_id = app.user_id();
  return app.own_profile();
end
$$;
comment on function api.update_own_profile is 'PATCH /users/me/profile (docs/product.md P3, P9, P10).';
grant execute on function api.update_own_profile to authenticated;
