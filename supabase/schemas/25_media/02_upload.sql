-- Announces a file.
--
-- Args: purpose, contentType, sizeBytes, fileName. Returns uploadId and expiresAt, for which the service
-- signs the URL.
create function api.presign_upload(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_upload_id uuid;
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'purpose', 'contentType', 'sizeBytes');
  perform app.limit_uploads();
  insert into app.uploads (owner_id, purpose, content_type, size_bytes, file_name)
  values (
    app.user_id(),
    app.choice_argument(p_args, 'purpose', variadic enum_range(null::app.upload_purpose)::text[])::app.upload_purpose,
    app.text_argument(p_args, 'contentType'),
    app.integer_argument(p_args, 'sizeBytes', 1, 2147483647),
    app.name_argument(p_args, 'fileName')
  )
  returning id into v_upload_id;
  return app.open_upload_json(v_upload_id);
end
$$;
comment on function api.presign_upload is 'POST /uploads/presign (docs/product.md M1-M3).';
grant execute on function api.presign_upload to authenticated;

-- Errors: UPLOAD_CONFLICT.
create function app.open_upload_json(p_upload_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_expires_at timestamptz := (select u.expires_at from app.uploads as u where u.id = p_upload_id);
begin
  -- The worker deletes expired uploads.
  if coalesce(v_expires_at, '-infinity') <= app.now() then
    raise exception using errcode = 'PT409', message = 'UPLOAD_CONFLICT', detail = '{"reason": "expired"}';
  end if;
  return jsonb_build_object('uploadId', p_upload_id, 'expiresAt', app.iso(v_expires_at));
end
$$;
comment on function app.open_upload_json is
  'Returns an upload of the caller, for which the service signs the URL (docs/product.md M1).';
grant execute on function app.open_upload_json to authenticated;

create function app.bucket_of(p_purpose app.upload_purpose) returns text
language sql immutable set search_path = ''
begin atomic
  select case when p_purpose in ('profile_photo', 'hub_photo') then 'photos' else 'media' end;
end;
comment on function app.bucket_of is
  'Returns the bucket of a completed upload: photos, which is public, or media, which is read by signed URLs.';
grant execute on function app.bucket_of to anon, authenticated, staff_moderator;

-- Raises RATE_LIMITED beyond 600 an hour, because each may hold megabytes.
create function app.limit_uploads() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.require_rate_limit('uploads', app.user_id()::text, 600, interval '1 hour');
end
$$;
comment on function app.limit_uploads is 'Counts an upload that the caller begins or completes.';
grant execute on function app.limit_uploads to authenticated;

-- Completes an upload. The service calls it twice: without content it returns what the service has to check
-- (app.begin_completion), with content it returns the asset (app.finish_upload).
--
-- Args: uploadId, purpose, checksum.
create function api.complete_upload(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return case when p_args ? 'content' then app.finish_upload(p_args) else app.begin_completion(p_args) end;
end
$$;
comment on function api.complete_upload is 'POST /uploads/complete (docs/product.md M4, M5).';
grant execute on function api.complete_upload to opine_service;

-- Each try has its own assetId, so that no try overwrites the file of another. upload is null if there is
-- nothing to check; app.finish_upload then gives the reason.
create function app.begin_completion(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_upload app.uploads;
  v_asset_id uuid;
begin
  perform app.limit_uploads();
  select * into v_upload
  from app.uploads as u
  where u.id = (p_args ->> 'uploadId')::uuid
    and u.owner_id = app.user_id()
    and u.purpose = (p_args ->> 'purpose')::app.upload_purpose
    and u.asset_id is null
    and u.expires_at > app.now();
  if v_upload.id is null then
    return '{"upload": null}'::jsonb;
  end if;
  -- Much longer than a check of a file takes.
  insert into app.stored_objects (owner_id, bucket, expires_at)
  values (v_upload.owner_id, app.bucket_of(v_upload.purpose), app.now() + interval '1 hour')
  returning id into v_asset_id;
  return jsonb_build_object('upload', jsonb_build_object(
    'contentType', v_upload.content_type,
    'sizeBytes', v_upload.size_bytes,
    'bucket', app.bucket_of(v_upload.purpose),
    'assetId', v_asset_id
  ));
end
$$;
comment on function app.begin_completion is
  'Returns what the service needs to check an open upload of the caller: the announced contentType and sizeBytes, and '
  'the bucket and assetId under which to store the checked file.';

-- Completes the caller's upload with what the service has found.
--
-- p_args holds content: the file that the service has checked and stored (assetId, width, height, blurhash,
-- hasThumbnail), or its reason to refuse the file (refusal, and cause of a content_mismatch), or null if
-- there was nothing to check. Returns the asset; that of a completed upload never changes. Errors:
-- UPLOAD_CONFLICT with the reason and the cause.
create function app.finish_upload(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
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
    when exists (
      select from app.assets as a where a.id = v_upload.asset_id and a.checksum <> v_checksum
    ) then 'checksum_mismatch'
  end;
  if v_reason is not null then
    raise exception using errcode = 'PT409', message = 'UPLOAD_CONFLICT', detail = jsonb_strip_nulls(jsonb_build_object(
      'reason', v_reason, 'cause', case v_reason when v_content ->> 'refusal' then v_content ->> 'cause' end
    ))::text;
  end if;
  if v_upload.asset_id is null then
    v_upload.asset_id := app.insert_asset(v_upload, v_checksum, v_content);
  elsif v_content is not null then
    -- A concurrent try has completed the upload.
    update app.stored_objects set expires_at = app.now() where id = (v_content ->> 'assetId')::uuid;
  end if;
  return app.completed_asset_json(v_upload.asset_id);
end
$$;
comment on function app.finish_upload is 'Completes an upload of the caller (docs/product.md M4, M5).';

-- Errors: SERVICE_UNAVAILABLE if the object has expired.
create function app.insert_asset(p_upload app.uploads, p_checksum bytea, p_content jsonb) returns uuid
language plpgsql set search_path = '' as $$
declare
  v_asset_id uuid := (p_content ->> 'assetId')::uuid;
begin
  update app.stored_objects set expires_at = null where id = v_asset_id and expires_at > app.now();
  -- The worker may have removed the object after an hour.
  if not found then
    raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
  end if;
  insert into app.assets (
    id, owner_id, purpose, content_type, size_bytes, checksum, file_name, width, height, blurhash, has_thumbnail
  )
  values (
    v_asset_id, p_upload.owner_id, p_upload.purpose, p_upload.content_type, p_upload.size_bytes, p_checksum,
    p_upload.file_name,
    (p_content ->> 'width')::integer, (p_content ->> 'height')::integer, p_content ->> 'blurhash',
    coalesce((p_content ->> 'hasThumbnail')::boolean, false)
  );
  update app.uploads set asset_id = v_asset_id where id = p_upload.id;
  return v_asset_id;
end
$$;
comment on function app.insert_asset is
  'Inserts the asset of an upload and returns its id, which is the key of the stored object.';

create function app.asset_media(p_asset app.assets) returns jsonb
language plpgsql stable set search_path = '' as $$
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
comment on function app.asset_media is
  'Returns the media entry of an asset (docs/product.md M7); width, height and blurhash are null for a document.';
grant execute on function app.asset_media to authenticated;

create function app.completed_asset_json(p_asset_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select app.asset_media(a) || jsonb_build_object('sizeBytes', a.size_bytes, 'checksum', encode(a.checksum, 'hex'))
    from app.assets as a
    where a.id = p_asset_id and a.owner_id = app.user_id()
  );
end
$$;
comment on function app.completed_asset_json is
  'Returns an asset to its owner (docs/product.md M4); null for any other.';
grant execute on function app.completed_asset_json to authenticated;
