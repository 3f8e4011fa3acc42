-- Publishes a post.
--
-- Args: article (url, title, text, media or assetIds), thoughtText, sliderText, slider, visibility, hubIds.
-- Returns the detail of the post.
create function api.create_post(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_destination(p_args);
  return app.insert_post(p_args, app.argument(p_args, 'article', 'object'), null);
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
begin
  perform app.require_destination(p_args);
  v_source := app.require_post((p_args ->> 'postId')::uuid);
  if not v_source.is_public then
    perform app.require_level(4);
  end if;
  if not app.may_repost(v_source.id) then
    raise exception using errcode = 'PT409', message = 'REPOST_NOT_ALLOWED';
  end if;
  return app.insert_post(p_args, null, v_source.id);
end
$$;
comment on function api.create_repost is 'POST /posts/{postId}/reposts (docs/product.md PO3, PO4, PO9).';
grant execute on function api.create_repost to authenticated;

-- Publishes a post of the caller and places it in its Hubs. It reads every text before it checks the limit of
-- the caller, and writes nothing before that (docs/product.md W24).
--
-- Args: p_args (thoughtText, sliderText, slider, visibility, hubIds), p_article (null, or url, title, text, and
-- media or assetIds), p_source_post_id (the original of a repost, or null).
create function app.insert_post(p_args jsonb, p_article jsonb, p_source_post_id uuid) returns json
language plpgsql set search_path = '' as $$
declare
  v_hub_ids uuid[] := app.ids_argument(p_args, 'hubIds', 0, 20);
  v_media jsonb := app.media_argument(p_article);
  v_url text := app.text_argument(p_article, 'url', p_max => 2000, p_within => 'article');
  v_title text := app.text_argument(p_article, 'title', p_within => 'article');
  v_body text := app.text_argument(p_article, 'text', p_within => 'article');
  v_thought_text text := app.text_argument(p_args, 'thoughtText');
  v_slider_text text := app.text_argument(p_args, 'sliderText');
  v_slider jsonb := app.argument(p_args, 'slider', 'object');
  v_left_label text := app.text_argument(v_slider, 'leftLabel', p_within => 'slider');
  v_right_label text := app.text_argument(v_slider, 'rightLabel', p_within => 'slider');
  v_article_id uuid;
  v_post_id uuid;
begin
  if v_slider_text is null and v_slider is not null then
    perform app.refuse_argument('{slider}', 'missing_text', 'Needs a sliderText.');
  elsif v_slider_text is not null and v_slider is null then
    v_left_label := 'Disagree';
    v_right_label := 'Agree';
  end if;
  perform app.check_limit('posts');
  if p_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (app.user_id(), v_url, v_title, v_body, jsonb_array_length(v_media))
    returning id into v_article_id;
    perform app.attach_media(
      v_article_id, v_media, case when p_article ->> 'media' is null then 'assetIds' else 'media' end
    );
  end if;
  -- Memberships come before the author and the original: see "Lock order" in docs/architecture.md.
  perform app.lock_own_memberships(v_hub_ids);
  insert into app.posts (
    author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility
  )
  values (
    app.user_id(), v_article_id, p_source_post_id, v_thought_text, v_slider_text, v_left_label, v_right_label,
    (p_args ->> 'visibility')::app.post_visibility
  )
  returning id into v_post_id;
  perform app.place_post(v_post_id, v_hub_ids, 'targeted');
  perform app.use_limit('posts');
  return app.post_detail(v_post_id);
end
$$;
comment on function app.insert_post is
  'Publishes a post of the caller with its article and places it in its Hubs (docs/product.md W24, PO1-PO3).';
grant execute on function app.insert_post to authenticated;
