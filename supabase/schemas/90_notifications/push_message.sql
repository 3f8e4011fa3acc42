create function app.push_message(p_envelope jsonb, p_token_hash bytea, p_platform app.device_platform, p_sealed_token bytea)
returns json
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return json_object(
    'tokenHash': encode(p_token_hash, 'hex'),
    'platform': p_platform,
    'sealedToken': encode(p_sealed_token, 'base64'),
    'envelope': p_envelope
  );
end
$$;
comment on function app.push_message(jsonb, bytea, app.device_platform, bytea) is 'What a worker needs to send to a device: tokenHash (hex), platform, sealedToken (base64) and envelope.';

revoke all on function app.push_message(jsonb, bytea, app.device_platform, bytea) from public;
