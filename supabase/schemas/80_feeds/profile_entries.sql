create function app.profile_entries(p_user_id uuid, p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (entry.at, entry.id, entry.kind)::app.feed_entry
    from (
      (
        select p.created_at as at, p.id, 'published' as kind
        from app.posts as p
        where p.author_id = p_user_id and p.visibility <> 'private_locked_hub'
          and (p.created_at, p.id) < (p_place.at, p_place.id)
          and not exists (select from app.feed_shares as s where s.user_id = p_user_id and s.post_id = p.id)
        order by p.created_at desc, p.id desc
        limit p_limit
      )
      union all
      (
        select s.shared_at, s.post_id, 'shared_to_feed'
        from app.feed_shares as s
        where s.user_id = p_user_id and (s.shared_at, s.post_id) < (p_place.at, p_place.id)
        order by s.shared_at desc, s.post_id desc
        limit p_limit
      )
    ) as entry
    order by entry.at desc, entry.id desc
    limit p_limit
  );
end
$$;
comment on function app.profile_entries(uuid, app.feed_place, integer) is 'The first posts behind p_place of somebody''s profile feed that the caller may see (spec.md "Profile feed rules"): what they published openly, and what they shared to their feed, at the last time.';

revoke all on function app.profile_entries(uuid, app.feed_place, integer) from public;
grant execute on function app.profile_entries(uuid, app.feed_place, integer) to anon, authenticated;
