create function app.hub_entries(p_hub_id uuid, p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (entry.at, entry.id, 'shared_to_hub', entry.post)::app.feed_entry
    from (
      (
        select placed.last_shared_at as at, placed.post_id as id, p as post
        from app.placements as placed
        join app.posts as p on p.id = placed.post_id
        where placed.hub_id = p_hub_id and (placed.last_shared_at, placed.post_id) < (p_after.at, p_after.id)
          and placed.last_shared_at <= p_after.began_at
        order by placed.last_shared_at desc, placed.post_id desc
        limit p_limit
      )
      union all
      -- A post that was shared again since page one keeps its position of page one.
      select former.at, placed.post_id, p
      from app.placements as placed
      join app.posts as p on p.id = placed.post_id
      cross join app.share_at_page_one(p_hub_id, placed.post_id, p_after) as former (at)
      where placed.hub_id = p_hub_id and placed.last_shared_at > p_after.began_at
        and (former.at, placed.post_id) < (p_after.at, p_after.id)
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.hub_entries is 'Returns the first posts after p_after in a Hub of the caller''s, by the time of their last placement or share there before page one.';
grant execute on function app.hub_entries to authenticated;

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
comment on function app.hub_reasons is 'Returns the feedContext of each entry in the feed of a Hub of the caller''s, in order: target or onward share (docs/product.md F11).';
grant execute on function app.hub_reasons to authenticated;

create function app.share_at_page_one(p_hub_id uuid, p_post_id uuid, p_after app.feed_position) returns timestamptz
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select max(e.occurred_at)
    from app.feed_events as e
    where e.post_id = p_post_id and e.hub_id = p_hub_id and e.kind in ('targeted', 'shared_to_hub') and e.occurred_at <= p_after.began_at
      and (e.ended_by is null or not pg_visible_in_snapshot(e.ended_by, p_after.seen))
      and e.hub_id in (select mine.hub_id from app.my_hubs as mine)
  );
end
$$;
comment on function app.share_at_page_one is 'Returns when a post was last placed or shared in a Hub of the caller''s before page one of p_after; null if it was not there. A definer function, because no policy shows the Hub''s stream; it does not reveal the actor.';
grant execute on function app.share_at_page_one to authenticated;

create function app.profile_entries(p_user_id uuid, p_after app.feed_position, p_limit integer) returns app.feed_entry[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (entry.at, entry.id, entry.kind, p)::app.feed_entry
    from (
      (
        select p.created_at as at, p.id, 'published' as kind
        from app.posts as p
        where p.author_id = p_user_id and p.is_public
          and (p.created_at, p.id) < (p_after.at, p_after.id)
          and not exists (select from app.feed_shares as s where s.user_id = p_user_id and s.post_id = p.id)
        order by p.created_at desc, p.id desc
        limit p_limit
      )
      union all
      (
        select s.shared_at, s.post_id, 'shared_to_feed'
        from app.feed_shares as s
        where s.user_id = p_user_id and (s.shared_at, s.post_id) < (p_after.at, p_after.id)
        order by s.shared_at desc, s.post_id desc
        limit p_limit
      )
    ) as entry
    join app.posts as p on p.id = entry.id
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.profile_entries is 'Returns the first posts after p_after in the feed of a profile that the caller may see (docs/product.md F12, F13): the owner''s public posts, and the posts shared to their feed, at the time of the last share.';
grant execute on function app.profile_entries to anon, authenticated;
