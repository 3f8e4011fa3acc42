create function app.raise_trending_score(p_post_id uuid, p_weight double precision)
returns void
language plpgsql
set search_path = ''
as $$
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
comment on function app.raise_trending_score is 'Records activity on a post in its trending score, and the former score for walks under way. The caller holds the row of the post, so that changes of one score follow each other. Args: the post (a deleted one is ignored), the weight of the activity.';

create function app.raised_score(p_score timestamptz, p_weight double precision)
returns timestamptz
language plpgsql
stable
set search_path = ''
as $$
declare
  v_half_life constant double precision := (12 * 60 * 60)::double precision;
  v_activity timestamptz := app.now() + make_interval(secs => v_half_life * ln(p_weight) / ln(2));
  -- Sixty half-lives behind, a score adds nothing; the bound keeps the power within range.
  v_gap double precision := least(abs(extract(epoch from p_score - v_activity)) / v_half_life, 60)::double precision;
begin
  if p_score is null then
    return v_activity;
  end if;
  return greatest(p_score, v_activity) + make_interval(secs => v_half_life * ln(1 + power(2, -v_gap)) / ln(2));
end
$$;
comment on function app.raised_score is 'Adds activity to a trending score. All scores decay by half in twelve hours, so their order stays until the next activity. Args: the score, null for none; the weight of the activity, which is now. Returns the new score.';
