create function api.get_vote_summary(jsonb)
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
begin
  perform app.require_scope(v_hub_id);
  v_hub_id := app.displayed_hub(v_post, v_hub_id);
  return jsonb_build_object(
    'postId', v_post.id,
    'scope', app.vote_scope(v_hub_id),
    'summary', app.vote_summary(app.pool_totals(v_post.id, v_hub_id))
  );
end
$$;
comment on function api.get_vote_summary(jsonb) is 'GET /posts/{postId}/vote/summary (spec.md F). Takes postId and, for the scope of a Hub, hubId; answers postId, scope, summary. Raises POST_NOT_FOUND, POST_NOT_VOTABLE, and FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function api.get_vote_summary(jsonb) from public;
grant execute on function api.get_vote_summary(jsonb) to anon, authenticated;
