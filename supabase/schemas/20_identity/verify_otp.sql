create function api.verify_otp(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_address_opens_at timestamptz := app.use_meter(
    'code tries', p_args ->> 'addressHash', (p_args ->> 'triesPerAddress')::integer, interval '1 hour'
  );
  v_refusal jsonb;
begin
  if v_address_opens_at is not null then
    return app.refusal('RATE_LIMITED', app.retry_after(v_address_opens_at));
  end if;
  v_refusal := app.consume_otp(
    decode(p_args ->> 'phoneHash', 'hex'),
    decode(p_args ->> 'codeHash', 'hex'),
    (p_args ->> 'codesPerDay')::integer,
    (p_args ->> 'wrongTriesPerDay')::integer
  );
  if v_refusal is not null then
    return v_refusal;
  end if;
  return app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
end
$$;
comment on function api.verify_otp(jsonb) is 'POST /auth/otp/verify (spec.md A). Takes phoneNumber, phoneHash, codeHash, codesPerDay and wrongTriesPerDay (null for a test number), addressHash (null where addresses do not count), triesPerAddress (an hour), and what app.grant_to_phone takes. Answers as that does. Refuses with OTP_INVALID, OTP_EXPIRED, RATE_LIMITED; raises ACCOUNT_SUSPENDED.';

revoke all on function api.verify_otp(jsonb) from public;
grant execute on function api.verify_otp(jsonb) to opine_service;
