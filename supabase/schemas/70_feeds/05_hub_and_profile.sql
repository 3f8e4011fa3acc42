-- Returns the first posts after p_after in a Hub of the caller's, by their last placement or share there at
-- page one.
--
-- A post that was shared again since stays where it was at page one. No transaction lasts a minute, so what
-- was shared earlier before page one was committed then; app.share_at_page_one knows of the rest.
create function app.hub_entries(p_hub_id uuid, p_after app.feed_cursor, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_viewer_id uuid := app.user_id();
  v_settled timestamptz := p_after.began_at - interval '1 minute';
begin
  return array(
    select (entry.at, entry.id, 'shared_to_hub', entry.post)::app.feed_entry
    from (
      (
        select placed.last_shared_at as at, placed.post_id as id, p as post
        from app.placements as placed
        join app.posts_at(p_after, v_viewer_id) as p on p.id = placed.post_id
        where placed.hub_id = p_hub_id and (placed.last_shared_at, placed.post_id) < (p_after.at, p_after.id)
          and placed.last_shared_at <= v_settled
        order by placed.last_shared_at desc, placed.post_id desc
        limit p_limit
      )
      union all
      select former.at, placed.post_id, p
      from app.placements as placed
      join app.posts_at(p_after, v_viewer_id) as p on p.id = placed.post_id
      cross join app.share_at_page_one(p_hub_id, placed.post_id, p_after) as former (at)
      where placed.hub_id = p_hub_id and placed.last_shared_at > v_settled
        and (former.at, placed.post_id) < (p_after.at, p_after.id)
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.hub_entries is
  'Returns the first posts after p_after in a Hub of the caller''s, as at page one (docs/product.md F11).';

create function app.hub_reasons(p_hub_id uuid, p_entries app.feed_entry[]) returns text[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select case placed.kind when 'targeted' then 'joined_hub_post' else 'shared_to_hub' end
    from unnest(p_entries) with ordinality as entry (at, id, kind, post, place)
    left join app.placements as placed on placed.post_id = entry.id and placed.hub_id = p_hub_id
    order by entry.place
  );
end
$$;
comment on function app.hub_reasons is
  'Returns the feedContext of each entry in the feed of a Hub of the caller''s, in order: target or onward share '
  '(docs/product.md F11).';

create function app.share_at_page_one(p_hub_id uuid, p_post_id uuid, p_after app.feed_cursor) returns timestamptz
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select max(e.occurred_at)
    from app.feed_events as e
    where e.post_id = p_post_id and e.hub_id = p_hub_id and app.is_placement(e.kind)
      and app.counted_at(p_after, e.occurred_at, e.begun_by, e.ended_by)
  );
end
$$;
comment on function app.share_at_page_one is
  'Returns when a post had last been placed or shared in a Hub of the caller''s at page one; null if it was not there.';

-- Returns the first posts after p_after in the feed of a profile that the caller may see.
--
-- These are the owner's public posts, and the posts shared to their feed, each at the time of its last share
-- at page one. A private post that they shared is there while they are in a Hub that has it.
create function app.profile_entries(p_user_id uuid, p_after app.feed_cursor, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_viewer_id uuid := app.user_id();
  v_changed app.feed_changes[] := array(select changed from app.shares_changed_since(p_user_id, p_after) as changed);
  v_changed_ids uuid[] := array(select changed.object_id from unnest(v_changed) as changed);
begin
  return array(
    select (entry.at, entry.id, entry.kind, entry.post)::app.feed_entry
    from (
      (
        select p.created_at as at, p.id, 'published' as kind, p as post
        from app.posts_at(p_after, v_viewer_id) as p
        where p.author_id = p_user_id and p.is_public
          and (p.created_at, p.id) < (p_after.at, p_after.id)
          and not exists (
            select
            from app.feed_shares as s
            where s.user_id = p_user_id and s.post_id = p.id and s.post_id <> all (v_changed_ids)
          )
          and not exists (
            select from unnest(v_changed) as former where former.object_id = p.id and former.former_at is not null
          )
        order by p.created_at desc, p.id desc
        limit p_limit
      )
      union all
      (
        select s.shared_at, s.post_id, 'shared_to_feed', p
        from app.feed_shares as s
        join app.posts_at(p_after, v_viewer_id) as p on p.id = s.post_id
        where s.user_id = p_user_id and (s.shared_at, s.post_id) < (p_after.at, p_after.id)
          and s.post_id <> all (v_changed_ids)
          and (p.is_public or app.is_in_hub_of(p_user_id, p.id))
        order by s.shared_at desc, s.post_id desc
        limit p_limit
      )
      union all
      select former.former_at, former.object_id, 'shared_to_feed', p
      from unnest(v_changed) as former
      join app.posts_at(p_after, v_viewer_id) as p on p.id = former.object_id
      where (former.former_at, former.object_id) < (p_after.at, p_after.id)
        and (p.is_public or app.is_in_hub_of(p_user_id, p.id))
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.profile_entries is
  'Returns the first posts after p_after in the feed of a profile, as at page one (docs/product.md F12, F13).';

create function app.shares_changed_since(p_user_id uuid, p_after app.feed_cursor) returns setof app.feed_changes
language plpgsql stable set search_path = '' as $$
begin
  if p_after.at = 'infinity' then
    return;
  end if;
  return query
  select distinct on (c.object_id) c.*
  from app.feed_changes as c
  where c.subject_id = p_user_id and c.kind = 'feed_shares'
    and app.is_since(p_after, c.changed_by)
  order by c.object_id, c.id;
end
$$;
comment on function app.shares_changed_since is
  'Returns the shares to a person''s feed that have changed since page one, each as it was at page one.';

create function app.is_in_hub_of(p_user_id uuid, p_post_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.placements as placed
    join app.memberships as m on m.hub_id = placed.hub_id and m.user_id = p_user_id
    where placed.post_id = p_post_id
  );
end
$$;
comment on function app.is_in_hub_of is
  'Returns whether a person is a member of a Hub that has a post (docs/product.md F13).';
