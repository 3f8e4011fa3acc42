create function api.get_post(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return app.post_detail((p_args ->> 'postId')::uuid);
end
$$;
comment on function api.get_post(jsonb) is 'GET /posts/{postId} (spec.md E). Takes postId; answers the post''s detail. Raises POST_NOT_FOUND, also for a post hidden from the caller.';

revoke all on function api.get_post(jsonb) from public;
grant execute on function api.get_post(jsonb) to anon, authenticated;
