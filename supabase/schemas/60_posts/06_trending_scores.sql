create function app.raise_trending_score(p_post_id uuid, p_weight double precision) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.score_changes (post_id, former_score, former_active_at)
  select p.id, s.score, s.active_at
  from app.posts as p
  left join app.trending_scores as s on s.post_id = p.id
  where p.id = p_post_id;
  insert into app.trending_scores as s (post_id, score, active_at)
  select p.id, app.raised_score(null, p_weight), app.now()
  from app.posts as p
  where p.id = p_post_id
  on conflict (post_id) do update set score = app.raised_score(s.score, p_weight), active_at = greatest(s.active_at, excluded.active_at);
end
$$;
comment on function app.raise_trending_score is 'Adds activity to the trending score of a post, and keeps the former score for paginations in progress. The caller must hold a lock on the post, which orders the changes of its score. Args: p_post_id (a deleted post is ignored), p_weight (the weight of the activity).';

create function app.raised_score(p_score timestamptz, p_weight double precision) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  v_half_life constant double precision := (12 * 60 * 60)::double precision;
  v_activity timestamptz := app.now() + make_interval(secs => v_half_life * ln(p_weight) / ln(2));
  -- The smaller term adds nothing beyond 60 half-lives; the bound keeps power() in range.
  v_gap double precision := least(abs(extract(epoch from p_score - v_activity)) / v_half_life, 60)::double precision;
begin
  if p_score is null then
    return v_activity;
  end if;
  return greatest(p_score, v_activity) + make_interval(secs => v_half_life * ln(1 + power(2, -v_gap)) / ln(2));
end
$$;
comment on function app.raised_score is 'Returns a trending score with the activity of now added. All scores halve every 12 hours, so their order holds until the next activity. Args: p_score (null for none), p_weight (the weight of the activity).';
