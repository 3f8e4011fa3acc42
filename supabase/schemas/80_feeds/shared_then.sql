create function app.shared_then(p_hub_id uuid, p_post_id uuid, p_place app.feed_place)
returns timestamptz
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select max(e.occurred_at)
    from app.feed_events as e
    where e.post_id = p_post_id and e.hub_id = p_hub_id and e.kind in ('targeted', 'shared_to_hub') and e.occurred_at <= p_place.began_at
      and (e.lost_by is null or not pg_visible_in_snapshot(e.lost_by, p_place.seen))
      and e.hub_id in (select mine.hub_id from app.my_hubs as mine)
  );
end
$$;
comment on function app.shared_then(uuid, uuid, app.feed_place) is 'When a post was last placed or shared in a Hub of the caller''s before the walk of p_place began; null if it was not there. Reads the stream of the Hub, which no policy shows, and says nothing of who did it.';

revoke all on function app.shared_then(uuid, uuid, app.feed_place) from public;
grant execute on function app.shared_then(uuid, uuid, app.feed_place) to authenticated;
