create function api.create_post(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_article jsonb := nullif(p_args -> 'article', 'null');
  v_asset_ids jsonb := coalesce(nullif(v_article -> 'assetIds', 'null'), '[]');
  v_article_id uuid;
begin
  perform app.require_destination(p_args);
  if v_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (
      app.user_id(), v_article ->> 'url', v_article ->> 'title', v_article ->> 'text', jsonb_array_length(v_asset_ids)
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
