create function app.shown_before(p_post_ids uuid[], p_place app.feed_place)
returns uuid[]
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  -- Few posts have more newer acts than that: of those the caller's sources are asked, one by one.
  v_look constant integer := 200;
begin
  return array(
    with sources as materialized (
      select s.source_id from app.my_sources as s
      union
      select f.source_id
      from app.former_sources as f
      where f.user_id = app.user_id() and not pg_visible_in_snapshot(f.ended_by, p_place.seen)
    ),
    newest as materialized (
      select act.*
      from unnest(p_post_ids) as wanted (id)
      cross join lateral (
        select a.post_id, a.source_id, a.actor_id, a.kind, a.lost_by
        from app.feed_acts as a
        where a.post_id = wanted.id
          and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= app.now()
        order by a.occurred_at desc
        limit v_look
      ) as act
    ),
    busy as materialized (
      select n.post_id from newest as n group by n.post_id having count(*) = v_look
    ),
    of_sources as (
      select n.* from newest as n where n.source_id in (select s.source_id from sources as s)
      union all
      select a.post_id, a.source_id, a.actor_id, a.kind, a.lost_by
      from busy
      join app.feed_acts as a on a.post_id = busy.post_id and a.lost_at is not null
      where a.source_id in (select s.source_id from sources as s)
        and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= app.now()
      union all
      select act.*
      from busy
      cross join sources as s
      cross join lateral (
        select a.post_id, a.source_id, a.actor_id, a.kind, a.lost_by
        from app.feed_acts as a
        where a.post_id = busy.post_id and a.source_id = s.source_id and a.lost_at is null
          and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= app.now()
        limit v_look
      ) as act
    )
    select distinct a.post_id
    from of_sources as a
    where (a.lost_by is null or not pg_visible_in_snapshot(a.lost_by, p_place.seen))
      and (
        a.kind in ('targeted', 'shared_to_hub')
        or a.actor_id not in (select s.user_id from app.strangers as s where s.since <= p_place.began_at)
      )
  );
end
$$;
comment on function app.shown_before(uuid[], app.feed_place) is 'Which of these posts have their place in the caller''s home feed before p_place: something newer counts, or did since the walk began. It reads streams that the caller reads no more, which no policy shows.';

revoke all on function app.shown_before(uuid[], app.feed_place) from public;
grant execute on function app.shown_before(uuid[], app.feed_place) to authenticated;
