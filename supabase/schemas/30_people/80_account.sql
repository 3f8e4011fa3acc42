create function app.lock_relations(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform from app.users as u
  where u.id in (
    select f.followee_id from app.follows as f where f.follower_id = p_user_id
    union all
    select f.follower_id from app.follows as f where f.followee_id = p_user_id
    union all
    select b.blocked_id from app.blocks as b where b.blocker_id = p_user_id
    union all
    select b.blocker_id from app.blocks as b where b.blocked_id = p_user_id
  )
  order by u.id
  for key share;
end
$$;
comment on function app.lock_relations is
  'Locks the users whom a person follows or blocks, and those who follow or block the person, so that no account ends '
  'meanwhile.';

-- It drops those that p_into has already, those of oneself, and follows within a blocked pair.
create function app.move_people(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  with gone as (
    delete from app.blocks as b where p_from = b.blocker_id or p_from = b.blocked_id returning b.*
  )
  insert into app.blocks (blocker_id, blocked_id, created_at)
  select moved.blocker_id, moved.blocked_id, moved.created_at
  from (
    select
      case gone.blocker_id when p_from then p_into else gone.blocker_id end as blocker_id,
      case gone.blocked_id when p_from then p_into else gone.blocked_id end as blocked_id,
      gone.created_at
    from gone
  ) as moved
  where moved.blocker_id <> moved.blocked_id
  on conflict do nothing;

  with gone as (
    delete from app.follows as f where p_from = f.follower_id or p_from = f.followee_id returning f.*
  )
  insert into app.follows (follower_id, followee_id, is_muted, created_at)
  select moved.follower_id, moved.followee_id, moved.is_muted, moved.created_at
  from (
    select
      case gone.follower_id when p_from then p_into else gone.follower_id end as follower_id,
      case gone.followee_id when p_from then p_into else gone.followee_id end as followee_id,
      gone.is_muted, gone.created_at
    from gone
  ) as moved
  where moved.follower_id <> moved.followee_id
  on conflict do nothing;

  -- A moved block may conflict with follows that p_into already had.
  delete from app.follows as f
  using app.blocks as b
  where (p_into = b.blocker_id or p_into = b.blocked_id)
    and ((f.follower_id = b.blocker_id and f.followee_id = b.blocked_id)
      or (f.follower_id = b.blocked_id and f.followee_id = b.blocker_id));
end
$$;
comment on function app.move_people is 'Moves the blocks and follows of p_from to p_into, on either side.';

create function app.erase_hub_profile(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.hub_profiles where user_id = p_user_id;
end;
comment on function app.erase_hub_profile is 'Deletes the Hub profile of an ended account (docs/product.md I17).';

-- Locked rows are left to the next batch.
--
-- Returns whether more is left.
create function app.erase_people(p_user_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.follows
  -- One statement, because its trigger locks counts in the order of users.
  where ctid = any (
    array(select f.ctid from app.follows as f where f.follower_id = p_user_id limit 1000 for update skip locked)
    || array(select f.ctid from app.follows as f where f.followee_id = p_user_id limit 1000 for update skip locked)
  );
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocker_id = p_user_id limit 1000 for update skip locked);
  delete from app.blocks
  where ctid in (select b.ctid from app.blocks as b where b.blocked_id = p_user_id limit 1000 for update skip locked);
  -- One query for each column: an index then answers by its first entry.
  if exists (select from app.follows where follower_id = p_user_id)
    or exists (select from app.follows where followee_id = p_user_id)
    or exists (select from app.blocks where blocker_id = p_user_id)
    or exists (select from app.blocks where blocked_id = p_user_id) then
    return true;
  end if;
  delete from app.follow_counts where user_id = p_user_id;
  return false;
end
$$;
comment on function app.erase_people is 'Deletes a batch of the follows and blocks of an ended account.';

-- It never shows who blocks the caller.
create function app.export_blocks() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('userId', b.blocked_id, 'blockedAt', app.iso(b.created_at))
  from app.blocks as b
  where b.blocker_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = b.blocked_id)
  order by b.created_at desc, b.blocked_id desc
  limit 100000;
end;
comment on function app.export_blocks is
  'Returns the section blocks of the export: users that the caller blocks, without those hidden from everybody.';
grant execute on function app.export_blocks to authenticated;

create function app.export_followers() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('userId', f.follower_id, 'followedAt', app.iso(f.created_at))
  from app.follows as f
  where f.followee_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.follower_id)
  order by f.created_at desc, f.follower_id desc
  limit 100000;
end;
comment on function app.export_followers is
  'Returns the section followers of the export, without users hidden from everybody.';
grant execute on function app.export_followers to authenticated;

create function app.export_following() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'userId', f.followee_id, 'publicPostsMuted', f.is_muted, 'followedAt', app.iso(f.created_at)
  )
  from app.follows as f
  where f.follower_id = app.user_id()
    and not exists (select from app.users_hidden_from_all as h where h.user_id = f.followee_id)
  order by f.created_at desc, f.followee_id desc
  limit 100000;
end;
comment on function app.export_following is
  'Returns the section following of the export, without users hidden from everybody.';
grant execute on function app.export_following to authenticated;

create function app.export_hub_profile() returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'displayName', h.display_name,
    'profileAssetId', h.photo_asset_id,
    'profilePhotoUrl', app.photo_url(h.photo_asset_id)
  )
  from app.hub_profiles as h
  where h.user_id = app.user_id();
end;
comment on function app.export_hub_profile is 'Returns the section hubProfile of the export.';
grant execute on function app.export_hub_profile to authenticated;

create function app.export_profile() returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'username', p.username,
    'fullName', p.full_name,
    'bio', p.bio,
    'profileAssetId', p.photo_asset_id,
    'profilePhotoUrl', app.photo_url(p.photo_asset_id),
    'createdAt', app.iso(p.created_at)
  )
  from app.profiles as p
  where p.user_id = app.user_id();
end;
comment on function app.export_profile is 'Returns the section profile of the export.';
grant execute on function app.export_profile to authenticated;
