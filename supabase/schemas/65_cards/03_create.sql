-- Publishes a post.
--
-- Args: article (url, title, text, media or assetIds), thoughtText, sliderText, slider, visibility, hubIds.
-- Returns the detail of the post.
create function api.create_post(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_post_id uuid;
begin
  perform app.require_destination(p_args);
  v_post_id := app.insert_post(p_args, app.argument(p_args, 'article', 'object'), null);
  return app.post_detail(v_post_id);
end
$$;
comment on function api.create_post is 'POST /posts (docs/product.md PO1, PO2, PO9-PO12).';
grant execute on function api.create_post to authenticated;

-- Publishes a repost.
--
-- Args: postId, thoughtText, sliderText, slider, visibility, hubIds. Returns the detail of the new post.
create function api.create_repost(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_source app.posts;
  v_post_id uuid;
begin
  perform app.require_destination(p_args);
  v_source := app.require_post((p_args ->> 'postId')::uuid);
  if not v_source.is_public then
    perform app.require_level(4);
  end if;
  if not app.may_repost(v_source.id) then
    raise exception using errcode = 'PT409', message = 'REPOST_NOT_ALLOWED';
  end if;
  v_post_id := app.insert_post(p_args, null, v_source.id);
  return app.post_detail(v_post_id);
end
$$;
comment on function api.create_repost is 'POST /posts/{postId}/reposts (docs/product.md PO3, PO4, PO9).';
grant execute on function api.create_repost to authenticated;
