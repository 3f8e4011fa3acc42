create function app.shown_before(p_post_ids uuid[], p_place app.feed_place)
returns uuid[]
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_until timestamptz := app.place_until(p_place);
  v_activity_until timestamptz := app.activity_until(p_place);
  v_source_ids uuid[] := array(
    select s.source_id from app.my_sources as s
    union
    select f.source_id
    from app.former_sources as f
    where f.user_id = app.user_id() and not pg_visible_in_snapshot(f.ended_by, p_place.seen)
  );
  -- To look at twenty acts costs as much as to ask one source: where a post has more newer ones, its sources are asked.
  v_own_shares uuid[] := array(
    select a.post_id
    from app.feed_acts as a
    where a.actor_id = app.user_id() and a.kind = 'shared_to_hub' and a.post_id = any (p_post_ids)
      and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= v_until
      and (a.lost_by is null or not pg_visible_in_snapshot(a.lost_by, p_place.seen))
      and a.source_id = any (v_source_ids)
  );
  v_look integer := greatest(200, 20 * cardinality(v_source_ids));
begin
  return array(
    select wanted.id
    from unnest(p_post_ids) as wanted (id)
    where exists (
      select
      from (
        (
          select a.source_id, a.actor_id, a.kind, a.occurred_at, a.lost_by, a.is_own_share
          from app.feed_acts as a
          where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= v_until
          order by a.occurred_at desc
          limit v_look
        )
        union all
        select a.source_id, a.actor_id, a.kind, a.occurred_at, a.lost_by, a.is_own_share
        from (
          select count(*) as count
          from (
            select from app.feed_acts as a
            where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= v_until
            limit v_look
          ) as newer
        ) as newer
        cross join lateral (
          select a.source_id, a.actor_id, a.kind, a.occurred_at, a.lost_by, a.is_own_share
          from app.feed_acts as a
          where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= v_until
            and a.lost_at is not null
          union all
          select live.*
          from unnest(v_source_ids) as s (source_id)
          cross join lateral (
            select a.source_id, a.actor_id, a.kind, a.occurred_at, a.lost_by, a.is_own_share
            from app.feed_acts as a
            where a.post_id = wanted.id and (a.occurred_at, a.post_id) >= (p_place.at, p_place.id) and a.occurred_at <= v_until
              and a.lost_at is null and a.source_id = s.source_id
            limit v_look
          ) as live
        ) as a
        where newer.count = v_look
      ) as act
      -- As part of an expression it is looked up in a hash; else joined, for each post anew.
      where (act.source_id in (select s.source_id from unnest(v_source_ids) as s (source_id))) is true
        and not act.is_own_share
        and (act.kind in ('published', 'targeted', 'shared_to_hub') or act.occurred_at <= v_activity_until)
        and (act.lost_by is null or not pg_visible_in_snapshot(act.lost_by, p_place.seen))
        and (
          act.kind in ('targeted', 'shared_to_hub')
          or act.actor_id not in (select h.user_id from app.hidden_users as h where h.since <= p_place.began_at)
        )
    ) or (wanted.id = any (v_own_shares) and not app.was_home_post(wanted.id, p_place))
  );
end
$$;
comment on function app.shown_before(uuid[], app.feed_place) is 'Which of these posts have their place in the caller''s home feed before p_place: something newer counts, or did since the walk began; an own share into a Hub only where nothing else did. It reads streams that the caller reads no more, which no policy shows.';

revoke all on function app.shown_before(uuid[], app.feed_place) from public;
grant execute on function app.shown_before(uuid[], app.feed_place) to authenticated;
