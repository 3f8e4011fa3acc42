create function api.get_download_url(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_asset app.assets;
begin
  perform app.require_level(1);
  select * into v_asset from app.assets as a where a.id = (p_args ->> 'assetId')::uuid;
  if v_asset.id is null then
    raise exception using errcode = 'PT404', message = 'ASSET_NOT_FOUND';
  end if;
  return jsonb_build_object(
    'bucket', app.bucket_of(v_asset.purpose),
    'fileName', case v_asset.purpose when 'document' then v_asset.file_name end,
    'expiresAt', app.iso(app.now() + interval '5 minutes')
  );
end
$$;
comment on function api.get_download_url(jsonb) is 'GET /uploads/{assetId}/download-url (spec.md C, contract.md 5). Takes assetId; answers bucket, expiresAt and, of a document, fileName, for the service to sign the URL by. Raises UNAUTHORIZED, ASSET_NOT_FOUND, also for an asset that the caller may not see.';

revoke all on function api.get_download_url(jsonb) from public;
grant execute on function api.get_download_url(jsonb) to authenticated;
