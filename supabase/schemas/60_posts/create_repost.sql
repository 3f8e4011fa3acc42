create function api.create_repost(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_source app.posts;
begin
  perform app.require_destination(p_args);
  v_source := app.require_post((p_args ->> 'postId')::uuid);
  if v_source.visibility = 'private_locked_hub' then
    perform app.require_level(4);
  end if;
  if not app.may_repost(v_source.id) then
    raise exception using errcode = 'PT409', message = 'REPOST_NOT_ALLOWED';
  end if;
  return app.publish(p_args, null, v_source.id);
end
$$;
comment on function api.create_repost(jsonb) is 'POST /posts/{postId}/reposts (spec.md E, "Post content rules"). Takes postId, thoughtText, sliderText, slider, visibility, hubIds; answers the new frame''s detail. Raises UNAUTHORIZED; FORBIDDEN below level 3, for Hub targets and a private original below level 4, and for a Hub that the caller is no active member of; POST_NOT_FOUND; REPOST_NOT_ALLOWED for a repost and for a post that can be shared nowhere.';

revoke all on function api.create_repost(jsonb) from public;
grant execute on function api.create_repost(jsonb) to authenticated;
