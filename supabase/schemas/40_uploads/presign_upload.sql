create function api.presign_upload(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_upload_id uuid;
  v_expires_at timestamptz;
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
  returning id, expires_at into v_upload_id, v_expires_at;
  return jsonb_build_object('uploadId', v_upload_id, 'expiresAt', app.iso(v_expires_at));
end
$$;
comment on function api.presign_upload(jsonb) is 'POST /uploads/presign (spec.md C). Takes purpose, contentType, sizeBytes, fileName; answers uploadId and expiresAt, for the service to sign the URL by. Raises UNAUTHORIZED, RATE_LIMITED, and VALIDATION_FAILED by uploads_content_type_fits and uploads_size_is_within_limit.';

revoke all on function api.presign_upload(jsonb) from public;
grant execute on function api.presign_upload(jsonb) to authenticated;
