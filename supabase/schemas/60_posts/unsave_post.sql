create function api.unsave_post(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(2);
  perform app.require_post((p_args ->> 'postId')::uuid);
  delete from app.saved_posts as s where s.user_id = app.user_id() and s.post_id = (p_args ->> 'postId')::uuid;
  return '{"saved": false}'::jsonb;
end
$$;
comment on function api.unsave_post(jsonb) is 'DELETE /posts/{postId}/save (contract.md 7). Takes postId; answers saved. Raises UNAUTHORIZED, FORBIDDEN below level 2, POST_NOT_FOUND.';

revoke all on function api.unsave_post(jsonb) from public;
grant execute on function api.unsave_post(jsonb) to authenticated;
