create function app.raise_trending_score(p_post_id uuid, p_weight double precision)
returns void
language plpgsql
volatile
security invoker
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
comment on function app.raise_trending_score(uuid, double precision) is 'Records activity on a post in its trending score, and the former score for walks under way. The caller holds the row of the post, so that changes of one score follow each other. Args: the post (a deleted one is ignored), the weight of the activity.';

revoke all on function app.raise_trending_score(uuid, double precision) from public;
