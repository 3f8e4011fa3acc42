create function api.create_post(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_user_id uuid := app.user_id();
  v_visibility app.post_visibility := p_args ->> 'visibility';
  v_article jsonb := nullif(p_args -> 'article', 'null');
  v_asset_ids jsonb := coalesce(nullif(v_article -> 'assetIds', 'null'), '[]');
  v_hub_ids uuid[] := array(
    select target.id::uuid from jsonb_array_elements_text(coalesce(nullif(p_args -> 'hubIds', 'null'), '[]')) as target (id)
  );
  v_article_id uuid;
  v_post_id uuid;
begin
  perform app.require_level(case v_visibility when 'public' then 3 else 4 end);
  if (v_visibility = 'public') <> (v_hub_ids = '{}') then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if v_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (
      v_user_id, v_article ->> 'url', v_article ->> 'title', v_article ->> 'text', jsonb_array_length(v_asset_ids)
    )
    returning id into v_article_id;
    perform app.attach_media(v_article_id, v_asset_ids);
  end if;
  insert into app.posts (author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable)
  values (
    v_user_id,
    v_article_id,
    p_args ->> 'thoughtText',
    p_args ->> 'sliderText',
    case when p_args ->> 'sliderText' is not null then coalesce(p_args -> 'slider' ->> 'leftLabel', 'Disagree') end,
    case when p_args ->> 'sliderText' is not null then coalesce(p_args -> 'slider' ->> 'rightLabel', 'Agree') end,
    v_visibility,
    v_visibility <> 'private_locked_hub' or cardinality(v_hub_ids) > 1
  )
  returning id into v_post_id;
  perform app.place_post(v_post_id, v_hub_ids);
  return app.post_detail(v_post_id);
end
$$;
comment on function api.create_post(jsonb) is 'POST /posts (spec.md E, contract.md 7). Takes article, thoughtText, sliderText, slider, visibility, hubIds; answers the post''s detail. Raises UNAUTHORIZED; VALIDATION_FAILED for assets that are no post media of the caller''s; FORBIDDEN below level 3, for Hub targets below level 4, and for a Hub that the caller is no active member of.';

revoke all on function api.create_post(jsonb) from public;
grant execute on function api.create_post(jsonb) to authenticated;
