create function api.get_vote_distribution(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_post_id uuid := p_args ->> 'postId';
  v_counts app.position_counts;
begin
  perform app.require_slider(v_post_id);
  v_counts := app.pool_totals(v_post_id);
  return jsonb_build_object(
    'postId', v_post_id,
    'scope', app.global_scope(),
    'totalVotes', app.total_of(v_counts),
    'distribution', app.vote_distribution(v_counts)
  );
end
$$;
comment on function api.get_vote_distribution(jsonb) is 'GET /posts/{postId}/vote/distribution (spec.md F). Takes postId; answers postId, scope, totalVotes, distribution. Raises POST_NOT_FOUND, POST_NOT_VOTABLE.';

revoke all on function api.get_vote_distribution(jsonb) from public;
grant execute on function api.get_vote_distribution(jsonb) to anon, authenticated;
