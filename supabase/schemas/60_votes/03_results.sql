-- Returns whether the caller has voted. Args: postId. Returns postId, hasVoted, votedAt (to the minute),
-- never the position.
create function api.get_my_vote(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_voted_at timestamptz;
begin
  perform app.require_level(2);
  perform app.require_slider(v_post_id);
  select r.voted_at into v_voted_at
  from app.vote_receipts as r
  where r.post_id = v_post_id and r.user_id = app.user_id();
  return jsonb_build_object('postId', v_post_id, 'hasVoted', v_voted_at is not null, 'votedAt', app.iso(v_voted_at));
end
$$;
comment on function api.get_my_vote is 'GET /posts/{postId}/vote/me (docs/product.md V13, V14).';
grant execute on function api.get_my_vote to authenticated;

-- Returns the summary of the votes on a post.
--
-- Args: postId, hubId (optional: the scope of this Hub). Returns postId, scope, summary.
create function api.get_vote_summary(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_post app.posts;
  v_totals app.position_counts;
begin
  perform app.require_scope(v_hub_id);
  v_post := app.require_slider((p_args ->> 'postId')::uuid);
  v_hub_id := app.displayed_hub(v_post, v_hub_id);
  v_totals := app.pool_totals(v_post.id, v_hub_id);
  return jsonb_build_object(
    'postId', v_post.id, 'scope', app.vote_scope(v_hub_id), 'summary', app.vote_summary(v_totals)
  );
end
$$;
comment on function api.get_vote_summary is 'GET /posts/{postId}/vote/summary (docs/product.md V11, V12, V14).';
grant execute on function api.get_vote_summary to anon, authenticated;

-- Returns the votes on a post by position.
--
-- Args: postId, hubId (optional: the scope of this Hub). Returns postId, scope, totalVotes, distribution.
create function api.get_vote_distribution(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_post app.posts;
  v_counts app.position_counts;
begin
  perform app.require_scope(v_hub_id);
  v_post := app.require_slider((p_args ->> 'postId')::uuid);
  v_hub_id := app.displayed_hub(v_post, v_hub_id);
  v_counts := app.pool_totals(v_post.id, v_hub_id);
  return jsonb_build_object(
    'postId', v_post.id,
    'scope', app.vote_scope(v_hub_id),
    'totalVotes', app.total_of(v_counts),
    'distribution', app.vote_distribution(v_counts)
  );
end
$$;
comment on function api.get_vote_distribution is 'GET /posts/{postId}/vote/distribution (docs/product.md V11-V14).';
grant execute on function api.get_vote_distribution to anon, authenticated;

-- Returns the votes on a post in each Hub of the caller with the post, in the order of its card. Args:
-- postId. Returns postId and items (hub, summary, distribution).
create function api.get_hub_votes(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_post_id uuid := (app.require_slider((p_args ->> 'postId')::uuid)).id;
  v_items jsonb;
begin
  if app.user_id() is not null then
    select jsonb_agg(
      jsonb_build_object(
        'hub', jsonb_build_object('id', h.id, 'name', h.name),
        'summary', app.vote_summary(pool.totals),
        'distribution', app.vote_distribution(pool.totals)
      )
      order by t.placed_at, t.hub_id
    )
    into v_items
    from app.placements as t
    join app.hubs as h on h.id = t.hub_id
    cross join lateral (select app.pool_totals(t.post_id, t.hub_id) as totals offset 0) as pool
    where t.post_id = v_post_id;
  end if;
  return jsonb_build_object('postId', v_post_id, 'items', coalesce(v_items, '[]'));
end
$$;
comment on function api.get_hub_votes is 'GET /posts/{postId}/vote/hubs (docs/product.md V14).';
grant execute on function api.get_hub_votes to anon, authenticated;

create function app.total_of(p_counts app.position_counts) returns bigint
language sql immutable
return coalesce(
  p_counts.strong_left_count + p_counts.left_count + p_counts.neutral_count
    + p_counts.right_count + p_counts.strong_right_count,
  0
);
comment on function app.total_of is 'Returns the number of votes of a pool; 0 for a null row.';
grant execute on function app.total_of to anon, authenticated;

create function app.vote_distribution(p_counts app.position_counts) returns json
language sql stable
return case when app.total_of(p_counts) = 0 then '[]'::json else json_build_array(
  json_object('position': 'strong_left', 'count': p_counts.strong_left_count),
  json_object('position': 'left', 'count': p_counts.left_count),
  json_object('position': 'neutral', 'count': p_counts.neutral_count),
  json_object('position': 'right', 'count': p_counts.right_count),
  json_object('position': 'strong_right', 'count': p_counts.strong_right_count)
) end;
comment on function app.vote_distribution is
  'Returns the counts of a pool for the five positions, in order; an empty array at zero votes (docs/product.md V12, '
  'V13).';
grant execute on function app.vote_distribution to anon, authenticated;

create function app.vote_summary(p_counts app.position_counts) returns json
language sql stable
return json_object(
  'totalVotes': app.total_of(p_counts),
  'resultsVisible': app.total_of(p_counts) > 0,
  'leftCount': case when app.total_of(p_counts) > 0 then p_counts.strong_left_count + p_counts.left_count end,
  'neutralCount': case when app.total_of(p_counts) > 0 then p_counts.neutral_count end,
  'rightCount': case when app.total_of(p_counts) > 0 then p_counts.right_count + p_counts.strong_right_count end
);
comment on function app.vote_summary is
  'Returns the three-bucket summary of a pool (docs/product.md V12); bucket counts are null at zero votes.';
grant execute on function app.vote_summary to anon, authenticated;

-- Args: p_voted_at (null without a vote).
create function app.viewer_vote(p_voted_at timestamptz) returns json language sql stable
return json_object('hasVoted': p_voted_at is not null, 'votedAt': app.iso(p_voted_at));
comment on function app.viewer_vote is 'Returns viewerVote of a card with a slider (docs/product.md V13).';

create function app.posts_in_my_hub(p_post_ids uuid[], p_hub_id uuid) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select t.post_id
    from app.my_hubs as mine
    join app.placements as t on t.hub_id = mine.hub_id
    where mine.hub_id = p_hub_id and t.post_id = any (p_post_ids)
  );
end
$$;
comment on function app.posts_in_my_hub is
  'Returns those of the posts that are in a Hub, if the caller is a member of it.';

-- Only definer functions call it, as a lateral of their query, into which the planner inlines it. A removed
-- placement leaves its pool, which a later share shows again, so they check that the post is in a Hub of the
-- caller. The counts are null without votes.
create function app.scope_totals(p_post_id uuid, p_hub_id uuid) returns setof app.position_counts
language sql stable
begin atomic
  -- Not app.sum_counts: Postgres would start its function anew for each card.
  select
    sum((v.counts).strong_left_count)::bigint, sum((v.counts).left_count)::bigint,
    sum((v.counts).neutral_count)::bigint, sum((v.counts).right_count)::bigint,
    sum((v.counts).strong_right_count)::bigint
  from (
    select p.counts
    from app.vote_pools as p
    where p.post_id = p_post_id and p.scope_id = coalesce(p_hub_id, p_post_id)
    union all
    select s.counts
    from app.vote_slots as s
    where s.post_id = p_post_id and s.scope_id = coalesce(p_hub_id, p_post_id)
  ) as v;
end;
comment on function app.scope_totals is
  'Returns the totals of a post, one row: in the scope of a Hub, or in the global one for null, folded or not.';

-- It reads counts, which no policy shows, so the caller must read the post under its policy first.
create function app.pool_totals(p_post_id uuid, p_hub_id uuid) returns app.position_counts
language plpgsql stable security definer
set search_path = ''
set plan_cache_mode = force_generic_plan
-- As in app.cards_of.
set enable_seqscan = off
as $$
begin
  if p_hub_id is not null and app.posts_in_my_hub(array[p_post_id], p_hub_id) = '{}' then
    return null;
  end if;
  return (select t from app.scope_totals(p_post_id, p_hub_id) as t);
end
$$;
comment on function app.pool_totals is
  'Returns app.scope_totals of one post; null for a Hub that is not the caller''s or lacks the post.';
grant execute on function app.pool_totals to anon, authenticated;
