create function api.save_post(jsonb)
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
  insert into app.saved_posts (user_id, post_id)
  values (app.user_id(), (app.require_post((p_args ->> 'postId')::uuid)).id)
  on conflict (user_id, post_id) do nothing;
  return '{"saved": true}'::jsonb;
end
$$;
comment on function api.save_post(jsonb) is 'POST /posts/{postId}/save (contract.md 7). Takes postId; answers saved. Raises UNAUTHORIZED, FORBIDDEN below level 2, POST_NOT_FOUND.';

revoke all on function api.save_post(jsonb) from public;
grant execute on function api.save_post(jsonb) to authenticated;
