create function api.get_share_link(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_post app.posts;
begin
  perform app.require_level(2);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not v_post.is_shareable then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  return jsonb_build_object('postId', v_post.id);
end
$$;
comment on function api.get_share_link(jsonb) is 'GET /posts/{postId}/share-link (spec.md F). Takes postId; answers postId, for the service to make the link of. Raises UNAUTHORIZED, FORBIDDEN below level 2, POST_NOT_FOUND, POST_NOT_SHAREABLE.';

revoke all on function api.get_share_link(jsonb) from public;
grant execute on function api.get_share_link(jsonb) to authenticated;
