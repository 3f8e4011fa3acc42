create function app.scores_then(p_post_ids uuid[], p_place app.feed_place)
returns table (post_id uuid, score timestamptz)
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select wanted.id, case when former.is_former then former.score else s.score end
  from unnest(p_post_ids) as wanted (id)
  join app.trending_scores as s on s.post_id = wanted.id
  left join lateral (
    select true as is_former, c.former_score as score, c.former_active_at as active_at
    from app.score_changes as c
    where c.post_id = wanted.id and c.changed_by >= pg_snapshot_xmin(p_place.seen)
      and not pg_visible_in_snapshot(c.changed_by, p_place.seen)
    order by c.former_score nulls first
    limit 1
  ) as former on true
  where case when former.is_former then former.active_at else s.active_at end > p_place.began_at - interval '7 days';
end
$$;
comment on function app.scores_then(uuid[], app.feed_place) is 'The trending scores that posts had when the walk of p_place began. Scores only rise, so the lowest former score since is that one. Args: posts that the caller may see; the place. Returns no row for a post without activity in the seven days before the walk.';

revoke all on function app.scores_then(uuid[], app.feed_place) from public;
grant execute on function app.scores_then(uuid[], app.feed_place) to anon, authenticated;
