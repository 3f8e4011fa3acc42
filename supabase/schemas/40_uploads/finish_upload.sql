create function app.finish_upload(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_content jsonb := nullif(p_args -> 'content', 'null');
  v_checksum bytea := decode(p_args ->> 'checksum', 'hex');
  v_upload app.uploads;
  v_reason text;
begin
  select * into v_upload
  from app.uploads as u
  where u.id = (p_args ->> 'uploadId')::uuid and u.owner_id = app.user_id()
  for update;
  v_reason := case
    when v_upload.id is null then 'unknown'
    when v_upload.asset_id is null and v_content is null and v_upload.expires_at <= app.now() then 'expired'
    when v_upload.purpose <> (p_args ->> 'purpose')::app.upload_purpose then 'purpose_mismatch'
    when v_upload.asset_id is null and v_content is null then 'expired'
    when v_upload.asset_id is null then v_content ->> 'refusal'
    when exists (select from app.assets as a where a.id = v_upload.asset_id and a.checksum <> v_checksum) then 'checksum_mismatch'
  end;
  if v_reason is not null then
    raise exception using errcode = 'PT409', message = 'UPLOAD_CONFLICT', detail = jsonb_build_object('reason', v_reason)::text;
  end if;
  if v_upload.asset_id is null then
    v_upload.asset_id := app.make_asset(v_upload, v_checksum, v_content);
  elsif v_content is not null then
    -- Another try was quicker.
    update app.stored_objects set expires_at = app.now() where id = (v_content ->> 'assetId')::uuid;
  end if;
  return (
    select app.asset_media(a) || jsonb_build_object('sizeBytes', a.size_bytes, 'checksum', encode(a.checksum, 'hex'))
    from app.assets as a
    where a.id = v_upload.asset_id
  );
end
$$;
comment on function app.finish_upload(jsonb) is 'Completes the caller''s upload with the content that the service has checked and stored (assetId, width, height, blurhash), or refuses it for the reason that the service found (refusal); null where there was nothing to look at. Answers the asset; completed before, it stays as it is, whatever was found since. Raises UPLOAD_CONFLICT with the reason.';

revoke all on function app.finish_upload(jsonb) from public;
