create function app.newest_events(p_since timestamptz, p_place app.feed_place, p_limit integer, p_except uuid[])
returns setof app.feed_entry
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  -- Among so many newest events are none but of the sources whose newest of all are the newest so many.
  with heads as materialized (
    select source.source_id, head.occurred_at, head.post_id
    from app.my_sources as source
    cross join lateral (
      select e.occurred_at, e.post_id
      from app.counted_events as e
      where e.source_id = source.source_id and (e.occurred_at, e.post_id) < (p_place.at, p_place.id) and e.occurred_at > p_since
        and e.post_id not in (select known.id from unnest(p_except) as known (id))
      order by e.occurred_at desc, e.post_id desc
      limit 1
    ) as head
    order by head.occurred_at desc, head.post_id desc
    limit p_limit
  ),
  since as materialized (
    select case when count(*) < p_limit then p_since else min(h.occurred_at) - interval '1 microsecond' end as at from heads as h
  )
  select event.occurred_at, event.post_id, event.kind
  from heads
  cross join since
  cross join lateral (
    select e.occurred_at, e.post_id, e.kind
    from app.counted_events as e
    where e.source_id = heads.source_id and (e.occurred_at, e.post_id) < (p_place.at, p_place.id) and e.occurred_at > since.at
      and e.post_id not in (select known.id from unnest(p_except) as known (id))
    order by e.occurred_at desc, e.post_id desc
    limit p_limit
  ) as event
  union all
  (
    select p.created_at, p.id, 'published'::app.feed_event_kind
    from app.posts as p
    where p.author_id = (select app.user_id()) and p.visibility <> 'private_locked_hub'
      and (p.created_at, p.id) < (p_place.at, p_place.id) and p.created_at > p_since
      and p.id not in (select known.id from unnest(p_except) as known (id))
    order by p.created_at desc, p.id desc
    limit p_limit
  )
  order by 1 desc, 2 desc
  limit p_limit;
end
$$;
comment on function app.newest_events(timestamptz, app.feed_place, integer, uuid[]) is 'The newest events behind p_place, and after p_since, that count for the caller, of their sources and their own posts, but for posts that are known already: one look at each stream, and a few more at those that have something. It reads streams, which no policy shows; the posts are for the caller to read under theirs.';

revoke all on function app.newest_events(timestamptz, app.feed_place, integer, uuid[]) from public;
grant execute on function app.newest_events(timestamptz, app.feed_place, integer, uuid[]) to authenticated;
