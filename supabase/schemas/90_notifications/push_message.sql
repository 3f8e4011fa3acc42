create type app.push_message as (token_hash text, platform app.device_platform, sealed_token text, envelope jsonb);
comment on type app.push_message is 'What a worker needs to send to a device: by what the device is known (hex), its sealed token (base64), and what to say.';
