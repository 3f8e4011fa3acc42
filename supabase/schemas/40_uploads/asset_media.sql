create function app.asset_media(p_asset app.assets)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'assetId', p_asset.id,
    'purpose', p_asset.purpose,
    'contentType', p_asset.content_type,
    'width', p_asset.width,
    'height', p_asset.height,
    'blurhash', p_asset.blurhash
  );
end
$$;
comment on function app.asset_media(app.assets) is 'What whoever shows an asset needs to know of it (contract.md 7, "media"); of a document, no size and no blurhash.';

revoke all on function app.asset_media(app.assets) from public;
grant execute on function app.asset_media(app.assets) to anon, authenticated;
