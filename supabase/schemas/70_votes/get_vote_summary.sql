create function api.get_vote_summary(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_post_id uuid := p_args ->> 'postId';
begin
  perform app.require_slider(v_post_id);
  return jsonb_build_object(
    'postId', v_post_id, 'scope', app.global_scope(), 'summary', app.vote_summary(app.pool_totals(v_post_id))
  );
end
$$;
comment on function api.get_vote_summary(jsonb) is 'GET /posts/{postId}/vote/summary (spec.md F). Takes postId; answers postId, scope, summary. Raises POST_NOT_FOUND, POST_NOT_VOTABLE.';

revoke all on function api.get_vote_summary(jsonb) from public;
grant execute on function api.get_vote_summary(jsonb) to anon, authenticated;
