create function api.create_post(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_article jsonb := app.argument(p_args, 'article', 'object');
  v_asset_ids uuid[] := app.ids_argument(v_article, 'assetIds', 0, 10, 'article');
  v_article_id uuid;
begin
  perform app.require_destination(p_args);
  if v_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (
      app.user_id(),
      app.text_argument(v_article, 'url', p_within => 'article'),
      app.text_argument(v_article, 'title', p_within => 'article'),
      app.text_argument(v_article, 'text', p_within => 'article'),
      cardinality(v_asset_ids)
    )
    returning id into v_article_id;
    perform app.attach_media(v_article_id, v_asset_ids);
  end if;
  return app.publish(p_args, v_article_id, null);
end
$$;
comment on function api.create_post(jsonb) is 'POST /posts (spec.md E, contract.md 7). Takes article, thoughtText, sliderText, slider, visibility, hubIds; answers the post''s detail. Raises UNAUTHORIZED; VALIDATION_FAILED for assets that are no post media of the caller''s; FORBIDDEN below level 3, for Hub targets below level 4, and for a Hub that the caller is no active member of.';

revoke all on function api.create_post(jsonb) from public;
grant execute on function api.create_post(jsonb) to authenticated;
