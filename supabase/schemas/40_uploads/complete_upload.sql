create function api.complete_upload(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return case when p_args ? 'content' then app.finish_upload(p_args) else app.begin_completion(p_args) end;
end
$$;
comment on function api.complete_upload(jsonb) is 'POST /uploads/complete (spec.md C). Takes uploadId, purpose, checksum. Run twice: first without content, when it answers what the service has to look at (app.begin_completion), then with it (app.finish_upload), when it answers the asset. Raises UNAUTHORIZED, RATE_LIMITED, UPLOAD_CONFLICT.';

revoke all on function api.complete_upload(jsonb) from public;
grant execute on function api.complete_upload(jsonb) to opine_service;
