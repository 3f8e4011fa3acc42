create function app.newest_events(p_place app.feed_place, p_limit integer, p_except uuid[])
returns setof app.feed_entry
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_activity_until timestamptz := app.activity_until(p_place);
begin
  return query
  -- Among so many newest events are none but of the sources whose newest of all are the newest so many.
  with heads as materialized (
    select source.source_id, head.occurred_at, head.post_id
    from app.my_sources as source
    cross join lateral (
      select e.occurred_at, e.post_id
      from app.counted_events as e
      where e.source_id = source.source_id and (e.occurred_at, e.post_id) < (p_place.at, p_place.id) and not e.is_own_share
        and (e.kind in ('published', 'targeted', 'shared_to_hub') or e.occurred_at <= v_activity_until)
        and e.post_id not in (select known.id from unnest(p_except) as known (id))
      order by e.occurred_at desc, e.post_id desc
      limit 1
    ) as head
    order by head.occurred_at desc, head.post_id desc
    limit p_limit
  ),
  since as materialized (
    select case when count(*) < p_limit then '-infinity' else min(h.occurred_at) - interval '1 microsecond' end as at from heads as h
  )
  select event.occurred_at, event.post_id, event.kind
  from heads
  cross join since
  cross join lateral (
    select e.occurred_at, e.post_id, e.kind
    from app.counted_events as e
    where e.source_id = heads.source_id and (e.occurred_at, e.post_id) < (p_place.at, p_place.id) and e.occurred_at > since.at
      and not e.is_own_share
      and (e.kind in ('published', 'targeted', 'shared_to_hub') or e.occurred_at <= v_activity_until)
      and e.post_id not in (select known.id from unnest(p_except) as known (id))
    order by e.occurred_at desc, e.post_id desc
    limit p_limit
  ) as event
  union all
  (
    select p.created_at, p.id, 'published'::app.feed_event_kind
    from app.posts as p
    where p.author_id = (select app.user_id()) and p.visibility <> 'private_locked_hub'
      and (p.created_at, p.id) < (p_place.at, p_place.id)
      and p.id not in (select known.id from unnest(p_except) as known (id))
    order by p.created_at desc, p.id desc
    limit p_limit
  )
  union all
  (
    select e.occurred_at, e.post_id, e.kind
    from app.counted_events as e
    where e.actor_id = (select app.user_id()) and e.kind = 'shared_to_hub' and e.hub_id in (select mine.hub_id from app.my_hubs as mine)
      and (e.occurred_at, e.post_id) < (p_place.at, p_place.id)
      and e.post_id not in (select known.id from unnest(p_except) as known (id))
      and not app.is_home_post(e.post_id, p_place)
    order by e.occurred_at desc, e.post_id desc
    limit p_limit
  )
  union all
  -- A pinned walk finds a post where it was before somebody repeated what had placed it there.
  (
    select former.occurred_at, former.post_id, former.kind
    from app.feed_acts as former
    where p_place.part = 'quiet' and former.lost_by >= pg_snapshot_xmin(p_place.seen)
      and not pg_visible_in_snapshot(former.lost_by, p_place.seen)
      and former.source_id in (select s.source_id from app.my_sources as s)
      and (former.occurred_at, former.post_id) < (p_place.at, p_place.id) and not former.is_own_share
      and (former.kind in ('published', 'targeted', 'shared_to_hub') or former.occurred_at <= v_activity_until)
      and former.post_id not in (select known.id from unnest(p_except) as known (id))
      and exists (
        select from app.counted_events as e
        where e.post_id = former.post_id and e.source_id = former.source_id and e.actor_id = former.actor_id
          and e.kind = former.kind
      )
    order by former.occurred_at desc, former.post_id desc
    limit p_limit
  )
  order by 1 desc, 2 desc
  limit p_limit;
end
$$;
comment on function app.newest_events(app.feed_place, integer, uuid[]) is 'The newest events behind p_place that count for the caller, of their sources, their own posts and their own shares into Hubs where nothing else counts, but for posts that are known already: one look at each stream, and a few more at those that have something. It reads streams, which no policy shows; the posts are for the caller to read under theirs.';

revoke all on function app.newest_events(app.feed_place, integer, uuid[]) from public;
grant execute on function app.newest_events(app.feed_place, integer, uuid[]) to authenticated;
