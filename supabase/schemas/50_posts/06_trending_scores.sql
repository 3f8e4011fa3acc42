-- Counts the activity of a kind of a person on a post in its trending score.
--
-- Each person counts once within seven days, at the first time, and the author never. So the score counts
-- what is left of the person's activity, whether some was added or deleted. The caller must hold a lock on
-- the post, which orders the changes of its score. p_kind is commented, reposted or shared_to_feed; p_times
-- is when the person commented, and null for the other kinds, which are looked up here.
create function app.count_trending(
  p_kind text, p_actor_id uuid, p_post_id uuid, p_times timestamptz[] default null
) returns void
language plpgsql set search_path = '' as $$
declare
  v_is_author boolean;
  v_former timestamptz[];
  v_times timestamptz[];
begin
  select
    p.author_id = p_actor_id,
    array(
      select a.at
      from app.trending_activities as a
      where a.post_id = p_post_id and a.actor_id = p_actor_id and a.kind = p_kind
    )
  into v_is_author, v_former
  from app.posts as p
  where p.id = p_post_id;
  if v_is_author is not false then
    return;
  end if;
  v_times := coalesce(p_times, app.activity_times(p_kind, p_actor_id, p_post_id, v_former));
  if cardinality(v_times) > 1 then
    v_times := app.firsts_of_weeks(v_times);
  end if;
  if not v_former <@ v_times then
    delete from app.trending_activities as a
    where a.post_id = p_post_id and a.actor_id = p_actor_id and a.kind = p_kind and a.at <> all (v_times);
  end if;
  if not v_times <@ v_former then
    insert into app.trending_activities (post_id, actor_id, kind, at)
    select p_post_id, p_actor_id, p_kind, new.at
    from unnest(v_times) as new (at)
    where new.at <> all (v_former);
  end if;
  if not v_former <@ v_times then
    perform app.recompute_trending_score(p_post_id);
  elsif not v_times <@ v_former then
    perform app.raise_trending_score(p_post_id, app.trending_weight(p_kind), new.at)
    from unnest(v_times) as new (at)
    where new.at <> all (v_former);
  end if;
end
$$;
comment on function app.count_trending is
  'Counts the activity of a kind of a person on a post in its trending score (docs/product.md F16).';

-- A repeated share moves its row, so of the former ones it returns those that counted (p_counted).
create function app.activity_times(p_kind text, p_actor_id uuid, p_post_id uuid, p_counted timestamptz[])
returns timestamptz[]
language plpgsql stable set search_path = '' as $$
begin
  if p_kind = 'reposted' then
    return array(
      select p.created_at
      from app.posts as p
      where p.source_post_id = p_post_id and p.author_id = p_actor_id and p.removed_at is null
    );
  end if;
  return array(
    select unnest(p_counted || s.shared_at)
    from app.feed_shares as s
    where s.post_id = p_post_id and s.user_id = p_actor_id
  );
end
$$;
comment on function app.activity_times is
  'Returns when a person reposted a post or shared it to their feed, as far as that is left.';

create function app.firsts_of_weeks(p_times timestamptz[]) returns timestamptz[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select activity.at
    from (
      select times.at, lag(times.at) over (order by times.at) as previous_at from unnest(p_times) as times (at)
    ) as activity
    where (activity.at <= activity.previous_at + app.trending_period()) is not true
  );
end
$$;
comment on function app.firsts_of_weeks is 'Returns the times without another in the seven days before.';

create function app.trending_weight(p_kind text) returns double precision language sql immutable
return case p_kind when 'reposted' then 3 else 2 end;
comment on function app.trending_weight is
  'Returns the weight of activity in trending scores; a vote has 1 (docs/product.md F16).';

create function app.trending_period() returns interval language sql immutable
return interval '7 days';
comment on function app.trending_period is 'Returns for how long activity makes a post trend (docs/product.md F14).';

-- Votes stay, because they are nobody's (docs/product.md F16).
create function app.count_trending_votes(p_post_id uuid, p_count bigint) returns void
language plpgsql set search_path = '' as $$
begin
  if p_count > 0 then
    perform app.raise_trending_score(p_post_id, p_count, app.now(), p_are_votes => true);
  end if;
end
$$;
comment on function app.count_trending_votes is 'Counts votes in the trending score of a post.';

-- Keeps the former score for later pages. A deleted post is ignored.
create function app.raise_trending_score(
  p_post_id uuid, p_weight double precision, p_at timestamptz, p_are_votes boolean default false
) returns void
language plpgsql set search_path = '' as $$
declare
  v_score timestamptz := app.activity_score(p_weight, p_at);
begin
  insert into app.score_changes (post_id, former_score, former_active_at)
  select p.id, s.score, s.active_at
  from app.posts as p
  left join app.trending_scores as s on s.post_id = p.id
  where p.id = p_post_id;
  if not found then
    return;
  end if;
  insert into app.trending_scores as s (post_id, score, active_at, vote_score, voted_at)
  values (p_post_id, v_score, p_at, case when p_are_votes then v_score end, case when p_are_votes then p_at end)
  on conflict (post_id) do update
  set score = app.sum_of_scores(s.score, excluded.score), active_at = greatest(s.active_at, excluded.active_at),
    vote_score = app.sum_of_scores(s.vote_score, excluded.vote_score),
    voted_at = coalesce(excluded.voted_at, s.voted_at);
end
$$;
comment on function app.raise_trending_score is
  'Adds activity of a weight and time to the trending score of a post, and to the share of the votes if these are '
  'votes.';

create function app.recompute_trending_score(p_post_id uuid) returns void
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_score timestamptz;
  v_active_at timestamptz;
begin
  insert into app.score_changes (post_id, former_score, former_active_at)
  select s.post_id, s.score, s.active_at from app.trending_scores as s where s.post_id = p_post_id;
  -- Beyond a thousand half-lives, power() would underflow.
  select
    app.activity_score(
      sum(app.trending_weight(a.kind) * power(2, greatest(-1000, app.half_lives_between(v_now, a.at)))), v_now
    ),
    max(a.at)
  into v_score, v_active_at
  from app.trending_activities as a
  where a.post_id = p_post_id;
  delete from app.trending_scores as s where s.post_id = p_post_id and v_score is null and s.vote_score is null;
  update app.trending_scores as s
  set score = app.sum_of_scores(s.vote_score, v_score), active_at = greatest(s.voted_at, v_active_at)
  where s.post_id = p_post_id;
end
$$;
comment on function app.recompute_trending_score is
  'Computes the trending score of a post from the activity that is left.';

-- Returns the time at which one activity of weight 1 alone would leave the same score.
create function app.activity_score(p_weight double precision, p_at timestamptz) returns timestamptz
language sql stable
return p_at + make_interval(secs => 43200 * ln(p_weight) / ln(2::double precision));
comment on function app.activity_score is
  'Returns the score of activity of a weight and time: it halves every 12 hours.';

create function app.half_lives_between(p_from timestamptz, p_to timestamptz) returns double precision
language sql stable
return extract(epoch from p_to - p_from)::double precision / 43200;
comment on function app.half_lives_between is 'Returns the number of half-lives of 12 hours between two times.';

-- All scores halve alike, so their order holds until the next activity. The smaller one adds nothing beyond
-- 60 half-lives; the bound keeps power() in range.
create function app.sum_of_scores(p_one timestamptz, p_other timestamptz) returns timestamptz
language sql stable
return case
  when num_nulls(p_one, p_other) > 0 then coalesce(p_one, p_other)
  else greatest(p_one, p_other) + make_interval(
    secs => 43200 * ln(1 + power(2::double precision, -least(60, abs(app.half_lives_between(p_one, p_other)))))
      / ln(2::double precision)
  )
end;
comment on function app.sum_of_scores is
  'Returns the score of the activity of two scores together; null counts nothing.';

-- The caller counts it again at these posts (app.count_trending).
--
-- Returns the ids of the posts.
create function app.move_trending(p_from uuid, p_into uuid, p_kind text) returns setof uuid
language plpgsql set search_path = '' as $$
begin
  return query
  with gone as (
    delete from app.trending_activities as a where a.actor_id = p_from and a.kind = p_kind returning a.*
  ),
  moved as (
    insert into app.trending_activities (post_id, actor_id, kind, at)
    select gone.post_id, p_into, gone.kind, gone.at from gone
    on conflict do nothing
  )
  select distinct gone.post_id from gone;
end
$$;
comment on function app.move_trending is 'Moves activity of a kind in trending scores to another person.';
