create function app.make_asset(p_upload app.uploads, p_checksum bytea, p_content jsonb)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_asset_id uuid := (p_content ->> 'assetId')::uuid;
begin
  update app.stored_objects set expires_at = null where id = v_asset_id and expires_at > app.now();
  -- The worker may have taken it after an hour.
  if not found then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  insert into app.assets (id, owner_id, purpose, content_type, size_bytes, checksum, file_name, width, height, blurhash)
  values (
    v_asset_id, p_upload.owner_id, p_upload.purpose, p_upload.content_type, p_upload.size_bytes, p_checksum, p_upload.file_name,
    (p_content ->> 'width')::integer, (p_content ->> 'height')::integer, p_content ->> 'blurhash'
  );
  update app.uploads set asset_id = v_asset_id where id = p_upload.id;
  return v_asset_id;
end
$$;
comment on function app.make_asset(app.uploads, bytea, jsonb) is 'The asset that an upload becomes, by the content that the service has stored under its id.';

revoke all on function app.make_asset(app.uploads, bytea, jsonb) from public;
