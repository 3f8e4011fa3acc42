create function app.active_in_feed(p_hub_id uuid, p_is_own boolean, p_since timestamptz)
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := app.now();
begin
  if p_hub_id is not null then
    return array(
      select placed.post_id
      from app.placements as placed
      join app.trending_scores as s on s.post_id = placed.post_id
      where placed.hub_id = p_hub_id and placed.hub_id in (select mine.hub_id from app.my_hubs as mine) and s.active_at > p_since
    );
  elsif not p_is_own then
    return array(
      select p.id
      from app.default_feed_users as d
      join app.posts as p on p.author_id = d.user_id
      join app.trending_scores as s on s.post_id = p.id
      where p.visibility <> 'private_locked_hub' and s.active_at > p_since
    );
  end if;
  return array(
    select known.post_id
    from (
      select distinct e.post_id
      from (select s.source_id from app.my_sources as s union select app.user_id()) as source
      join app.counted_events as e on e.source_id = source.source_id
      where e.occurred_at <= v_now
    ) as known
    join app.trending_scores as s on s.post_id = known.post_id
    where s.active_at > p_since
  );
end
$$;
comment on function app.active_in_feed(uuid, boolean, timestamptz) is 'The posts of a feed of the caller''s that had activity after a time, each once, whether or not policies show them. Reads the feed as a whole. For definer functions, as it reads streams. Args: the Hub, null for the home feed; whether the home feed has sources; the time.';

revoke all on function app.active_in_feed(uuid, boolean, timestamptz) from public;
