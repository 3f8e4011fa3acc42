create function app.begin_completion(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
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
  -- Much longer than looking at a file takes.
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
comment on function app.begin_completion(jsonb) is 'What the service has to look at to complete an open upload of the caller: contentType and sizeBytes that were announced, bucket and assetId under which to store what it finds good. A null upload where there is nothing to look at; app.finish_upload then says why. Each try has an id of its own, so that none overwrites what another has stored.';

revoke all on function app.begin_completion(jsonb) from public;
