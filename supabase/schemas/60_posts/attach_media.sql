create function app.attach_media(p_article_id uuid, p_asset_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform app.require_asset(
    given.id, array['post_image', 'document']::app.upload_purpose[],
    jsonb_build_array('article', 'assetIds', given.place - 1)
  )
  from unnest(p_asset_ids) with ordinality as given (id, place);
  insert into app.article_assets (article_id, place, asset_id)
  select p_article_id, given.place, given.id
  from unnest(p_asset_ids) with ordinality as given (id, place);
end
$$;
comment on function app.attach_media(uuid, uuid[]) is 'Gives an article of the caller''s its media: assets in their order. Raises VALIDATION_FAILED for one that is no post image or document of the caller''s.';

revoke all on function app.attach_media(uuid, uuid[]) from public;
grant execute on function app.attach_media(uuid, uuid[]) to authenticated;
