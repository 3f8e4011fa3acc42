create function api.get_vote_distribution(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_post app.posts := app.require_slider((p_args ->> 'postId')::uuid);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_counts app.position_counts;
begin
  perform app.require_scope(v_hub_id);
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
comment on function api.get_vote_distribution(jsonb) is 'GET /posts/{postId}/vote/distribution (spec.md F). Takes postId and, for the scope of a Hub, hubId; answers postId, scope, totalVotes, distribution. Raises POST_NOT_FOUND, POST_NOT_VOTABLE, and FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function api.get_vote_distribution(jsonb) from public;
grant execute on function api.get_vote_distribution(jsonb) to anon, authenticated;
