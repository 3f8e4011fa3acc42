create function api.get_my_vote(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
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
comment on function api.get_my_vote(jsonb) is 'GET /posts/{postId}/vote/me (spec.md F). Takes postId; answers postId, hasVoted, votedAt (to the minute), never the position. Raises UNAUTHORIZED, FORBIDDEN below level 2, POST_NOT_FOUND, POST_NOT_VOTABLE.';

revoke all on function api.get_my_vote(jsonb) from public;
grant execute on function api.get_my_vote(jsonb) to authenticated;
