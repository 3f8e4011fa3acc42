create function app.posts_in_feed(p_hub_id uuid, p_is_own boolean, p_post_ids uuid[])
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := app.now();
  v_source_ids uuid[];
  v_look integer;
begin
  if p_hub_id is not null then
    return array(
      select placed.post_id
      from app.placements as placed
      where placed.hub_id = p_hub_id and placed.hub_id in (select mine.hub_id from app.my_hubs as mine)
        and placed.post_id = any (p_post_ids)
    );
  elsif not p_is_own then
    return array(
      select p.id
      from app.posts as p
      where p.id = any (p_post_ids) and p.visibility <> 'private_locked_hub'
        and p.author_id in (select d.user_id from app.default_feed_users as d)
    );
  end if;
  -- The own stream for what the caller published.
  v_source_ids := array(select s.source_id from app.my_sources as s union select app.user_id());
  -- To look at twenty events costs as much as to probe one source: where a post has more, its sources are probed.
  v_look := greatest(200, 20 * cardinality(v_source_ids));
  return array(
    select wanted.id
    from (select distinct given.id from unnest(p_post_ids) as given (id)) as wanted
    where exists (
      select
      from (
        (
          select e.source_id
          from app.counted_events as e
          where e.post_id = wanted.id and e.occurred_at <= v_now
          order by e.occurred_at desc
          limit v_look
        )
        union all
        select live.source_id
        from (
          select count(*) as count
          from (select from app.counted_events as e where e.post_id = wanted.id and e.occurred_at <= v_now limit v_look) as event
        ) as looked
        cross join lateral (
          select s.source_id
          from unnest(v_source_ids) as s (source_id)
          where exists (
            select from app.counted_events as e
            where e.post_id = wanted.id and e.source_id = s.source_id and e.occurred_at <= v_now
          )
        ) as live
        where looked.count = v_look
      ) as event
      -- As part of an expression it is looked up in a hash; else joined, for each post anew.
      where (event.source_id in (select s.source_id from unnest(v_source_ids) as s (source_id))) is true
    )
  );
end
$$;
comment on function app.posts_in_feed(uuid, boolean, uuid[]) is 'Which posts are in a feed of the caller''s, each once, whether or not policies show them. For definer functions, as it reads streams. Args: the Hub, null for the home feed; whether the home feed has sources; the posts.';

revoke all on function app.posts_in_feed(uuid, boolean, uuid[]) from public;
