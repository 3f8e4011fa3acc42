create function app.default_entries(p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (post.created_at, post.id, 'published')::app.feed_entry
    from app.default_feed_users as d
    cross join lateral (
      select p.created_at, p.id
      from app.posts as p
      where p.author_id = d.user_id and p.visibility <> 'private_locked_hub'
        and (p.created_at, p.id) < (p_place.at, p_place.id)
      order by p.created_at desc, p.id desc
      limit p_limit
    ) as post
    order by post.created_at desc, post.id desc
    limit p_limit
  );
end
$$;
comment on function app.default_entries(app.feed_place, integer) is 'The first posts behind p_place of the default feed users, for whoever has no sources of their own.';

revoke all on function app.default_entries(app.feed_place, integer) from public;
grant execute on function app.default_entries(app.feed_place, integer) to anon, authenticated;
