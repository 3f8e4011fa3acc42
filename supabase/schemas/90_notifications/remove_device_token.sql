create function api.remove_device_token(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  delete from app.device_tokens as t
  where t.token_hash = decode(p_args ->> 'tokenHash', 'hex') and t.user_id = app.user_id();
  return jsonb_build_object('removed', found);
end
$$;
comment on function api.remove_device_token(jsonb) is 'DELETE /notifications/device-tokens (spec.md H). Takes tokenHash (SHA-256, hex); answers removed, false for a token that is not the caller''s. Raises UNAUTHORIZED.';

revoke all on function api.remove_device_token(jsonb) from public;
grant execute on function api.remove_device_token(jsonb) to authenticated;
