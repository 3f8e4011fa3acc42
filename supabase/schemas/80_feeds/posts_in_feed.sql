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
  v_found uuid[];
  v_viral uuid[];
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
  -- To look at two events costs about as much as to probe one source: where a post has more, its sources are probed.
  v_look := greatest(200, 2 * cardinality(v_source_ids));
  v_found := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        select e.source_id from app.counted_events as e where e.post_id = wanted.id and e.occurred_at <= v_now limit v_look
      ) as event
      -- As an expression it is looked up in a hash; an array would be searched from its start for each event.
      where (event.source_id in (select source.id from unnest(v_source_ids) as source (id))) is true
    )
  );
  v_viral := array(
    select distinct wanted.id
    from unnest(p_post_ids) as wanted (id)
    where wanted.id <> all (v_found) and v_look = (
      select count(*)
      from (select from app.counted_events as e where e.post_id = wanted.id and e.occurred_at <= v_now limit v_look) as event
    )
  );
  return v_found || array(
    select viral.id
    from unnest(v_viral) as viral (id)
    where exists (
      select
      from unnest(v_source_ids) as source (id)
      cross join lateral (
        select from app.counted_events as e
        where e.post_id = viral.id and e.source_id = source.id and e.occurred_at <= v_now
        limit 1
      ) as event
    )
  );
end
$$;
comment on function app.posts_in_feed(uuid, boolean, uuid[]) is 'Which posts are in a feed of the caller''s, each once, whether or not policies show them. For definer functions, as it reads streams. Args: the Hub, null for the home feed; whether the home feed has sources; the posts.';

revoke all on function app.posts_in_feed(uuid, boolean, uuid[]) from public;
