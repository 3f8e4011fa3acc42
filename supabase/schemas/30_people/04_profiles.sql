create function api.get_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.admit($1);
begin
  perform app.require_person((p_args ->> 'userId')::uuid);
  return app.public_profile((p_args ->> 'userId')::uuid);
end
$$;
comment on function api.get_profile is 'GET /users/{userId}/profile (docs/product.md P6, P8, P18). Reads a public profile. Args: userId. Returns the public profile. Errors: UNAUTHORIZED (ended session), USER_NOT_FOUND (also if the user blocks the caller).';
grant execute on function api.get_profile to anon, authenticated;

create function api.get_profile_by_username(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.admit($1);
  v_user_id uuid := (select p.user_id from app.profiles as p where p.username = p_args ->> 'username');
begin
  perform app.require_person(v_user_id);
  return app.public_profile(v_user_id);
end
$$;
comment on function api.get_profile_by_username is 'GET /users/by-username/{username} (docs/product.md P6, P8). Reads the public profile of the present owner of a username. Args: username. Returns the public profile. Errors: UNAUTHORIZED (ended session), USER_NOT_FOUND (also if the user blocks the caller).';
grant execute on function api.get_profile_by_username to anon, authenticated;

create function app.public_profile(p_user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', person.id,
      'name', p.full_name,
      'username', p.username,
      'bio', p.bio,
      'profilePhotoUrl', app.photo_url(p.photo_asset_id),
      'isAnonymous', p.user_id is null,
      'counts', jsonb_build_object('followers', coalesce(c.follower_count, 0), 'following', coalesce(c.following_count, 0)),
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
    cross join lateral (
      select count(*) filter (where post.source_post_id is null) as post_count, count(post.source_post_id) as repost_count
      from app.posts as post
      where post.author_id = person.id
    ) as published
  );
end
$$;
comment on function app.public_profile is 'Returns the public profile of a user (docs/product.md P6), as far as the caller sees it.';
grant execute on function app.public_profile to anon, authenticated;

create function app.admin_hubs(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object('id', h.id, 'name', h.name, 'profilePhotoUrl', app.photo_url(h.photo_asset_id)) order by m.joined_at, h.id
    ), '[]')
    from app.memberships as m
    join app.hubs as h on h.id = m.hub_id
    where m.user_id = p_user_id and m.role = 'admin'
  );
end
$$;
comment on function app.admin_hubs is 'Returns the Hubs that a user is admin of, as the public profile names them (docs/product.md P6). No other membership is public, so this bypasses policies.';
grant execute on function app.admin_hubs to anon, authenticated;

create function app.comment_count(p_user_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*) from app.comments as c where c.author_id = p_user_id);
end
$$;
comment on function app.comment_count is 'Returns the number of existing comments of a user. It bypasses policies, because a visibility check of each comment''s post would make a profile as slow as its user is talkative.';
grant execute on function app.comment_count to anon, authenticated;

create function app.vote_count(p_user_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  v_lag interval := interval '30 minutes';
  v_until timestamptz := case
    when p_user_id = app.user_id() then 'infinity'
    else date_bin(v_lag, app.now() - v_lag, timestamptz 'epoch')
  end;
begin
  return (
    select count(*)
    from app.vote_receipts as r
    where r.user_id = p_user_id and r.voted_at < v_until
      -- Leave out votes that no feed shows yet.
      and (v_until = 'infinity' or r.post_id not in (
        select h.post_id from app.held_votes as h where h.user_id = p_user_id and coalesce(h.released_at, 'infinity') >= v_until
      ))
  );
end
$$;
comment on function app.vote_count is 'Returns the number of votes of a user. Other users see a vote at least half an hour late, together with all votes of that half hour: an observer of both this count and the results of a post could otherwise tell who voted how (docs/product.md P7).';
grant execute on function app.vote_count to anon, authenticated;

create function app.photo_url(p_asset_id uuid) returns text language sql stable
return coalesce(nullif(current_setting('opine.photos_url', true), ''), '/storage/v1/object/public/photos/') || p_asset_id;
comment on function app.photo_url is 'Returns the public URL of a photo; null for null. The service sets the URL of its storage for each request; callers of the Data API get the path alone.';
grant execute on function app.photo_url to anon, authenticated;

create function app.user_lite(p_profile app.profiles) returns jsonb
language sql stable
return jsonb_build_object(
  'id', coalesce(p_profile.user_id::text, ''),
  'username', coalesce(p_profile.username, ''),
  'name', coalesce(p_profile.full_name, ''),
  'profilePhotoUrl', app.photo_url(p_profile.photo_asset_id),
  'isAnonymous', p_profile.user_id is null
);
comment on function app.user_lite is 'Returns a UserLite (docs/product.md P5), a person on a card or in a list. A null row, as for an ended account, gives empty strings.';
grant execute on function app.user_lite to anon, authenticated;

create function api.get_own_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(1);
  return app.own_profile();
end
$$;
comment on function api.get_own_profile is 'GET /users/me/profile (docs/product.md P9). Reads the caller''s own profile. Takes no args. Returns the own profile. Errors: UNAUTHORIZED.';
grant execute on function api.get_own_profile to authenticated;

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
comment on function app.own_profile is 'Returns the caller''s own profile (docs/product.md P9): the public one and the fields for its owner alone. Errors: UNAUTHORIZED if the account has ended, even after the operation began.';
grant execute on function app.own_profile to authenticated;

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
comment on function api.update_own_profile is 'PATCH /users/me/profile (docs/product.md P3, P9, P10). Changes the caller''s public profile. Args: any of fullName, username, bio, profileAssetId; null clears the bio and removes the photo. Returns the own profile. The commit deletes a replaced photo that nothing else shows. Errors: UNAUTHORIZED, FORBIDDEN (below level 2), HANDLE_TAKEN, VALIDATION_FAILED (reserved username; profileAssetId is no profile photo of the caller).';
grant execute on function api.update_own_profile to authenticated;

create function app.photo_or(p_present uuid, p_args jsonb) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_asset_id uuid := (p_args ->> 'profileAssetId')::uuid;
begin
  if not p_args ? 'profileAssetId' then
    return p_present;
  end if;
  if v_asset_id is not null then
    perform app.require_asset(v_asset_id, array['profile_photo']::app.upload_purpose[], '["profileAssetId"]');
  end if;
  return v_asset_id;
end
$$;
comment on function app.photo_or is 'Returns the photo that profileAssetId chooses: null for null, p_present if the argument is missing. Errors: VALIDATION_FAILED for an asset that is no profile photo of the caller.';
grant execute on function app.photo_or to authenticated;

create function api.get_hub_profile(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(4);
  return app.hub_profile();
end
$$;
comment on function api.get_hub_profile is 'GET /users/me/hub-profile (docs/product.md P12). Reads the caller''s private Hub profile. Takes no args. Returns the private Hub profile. Errors: UNAUTHORIZED, FORBIDDEN (below level 4).';
grant execute on function api.get_hub_profile to authenticated;

create function app.hub_profile() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'displayName', coalesce(h.display_name, p.full_name),
      'profilePhotoUrl', app.photo_url(h.photo_asset_id),
      'phoneNumber', u.phone,
      'profileAssetId', h.photo_asset_id
    )
    from app.users as u
    join app.profiles as p on p.user_id = u.id
    left join app.hub_profiles as h on h.user_id = u.id
    where u.id = (select app.user_id())
  );
end
$$;
comment on function app.hub_profile is 'Returns the caller''s private Hub profile (docs/product.md P12). Its name is the public one until the owner sets another.';
grant execute on function app.hub_profile to authenticated;

create function api.update_hub_profile(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(4);
  perform app.require_any_argument(p_args, 'displayName', 'profileAssetId');
  insert into app.hub_profiles as h (user_id, display_name, photo_asset_id)
  values (app.user_id(), app.name_argument(p_args, 'displayName'), app.photo_or(null, p_args))
  on conflict (user_id) do update
    set display_name = coalesce(excluded.display_name, h.display_name),
      photo_asset_id = case when p_args ? 'profileAssetId' then excluded.photo_asset_id else h.photo_asset_id end;
  return app.hub_profile();
end
$$;
comment on function api.update_hub_profile is 'PATCH /users/me/hub-profile (docs/product.md P12). Changes the caller''s private Hub profile; the public profile stays as it is. Args: displayName, profileAssetId or both; null removes the photo. Returns the private Hub profile. Errors: UNAUTHORIZED, FORBIDDEN (below level 4), VALIDATION_FAILED (profileAssetId is no profile photo of the caller).';
grant execute on function api.update_hub_profile to authenticated;
