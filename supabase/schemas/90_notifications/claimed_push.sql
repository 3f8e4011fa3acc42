create type app.claimed_push as (
  notification_id uuid, token_hash bytea, attempt_count integer, platform app.device_platform, sealed_token bytea, envelope jsonb
);
comment on type app.claimed_push is 'A notification that is to be sent to a device, and what it says.';
