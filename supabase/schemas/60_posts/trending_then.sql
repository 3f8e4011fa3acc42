create function app.trending_then(p_post_ids uuid[], p_seen pg_snapshot)
returns table (post_id uuid, trending_at timestamptz)
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select p.id, least(p.trending_at, former.trending_at)
  from unnest(p_post_ids) as wanted (id)
  join app.posts as p on p.id = wanted.id
  cross join lateral (
    select min(w.trending_before) as trending_at
    from app.warmings as w
    where w.post_id = p.id and w.warmed_by >= pg_snapshot_xmin(p_seen) and not pg_visible_in_snapshot(w.warmed_by, p_seen)
  ) as former;
end
$$;
comment on function app.trending_then(uuid[], pg_snapshot) is 'What trending ranked these posts by when p_seen was seen: posts only get warmer. For posts that the caller has read under their policy; that of each warming would ask again.';

revoke all on function app.trending_then(uuid[], pg_snapshot) from public;
grant execute on function app.trending_then(uuid[], pg_snapshot) to anon, authenticated;
