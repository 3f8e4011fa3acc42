create function api.request_otp(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_policy record := app.otp_policy();
  v_now timestamptz := app.now();
  v_phone_hash bytea := decode(p_args ->> 'phoneHash', 'hex');
  v_codes_per_day integer := (p_args ->> 'codesPerDay')::integer;
  v_code app.otp_codes;
begin
  perform app.require_meter(
    'code requests', p_args ->> 'addressHash', (p_args ->> 'requestsPerAddress')::integer, interval '1 hour'
  );
  insert into app.otp_codes (phone_hash, requested_at, expires_at)
  values (v_phone_hash, '-infinity', '-infinity')
  on conflict (phone_hash) do nothing;
  select * into strict v_code from app.otp_codes as c where c.phone_hash = v_phone_hash for update;

  if app.next_code_at(v_code, v_codes_per_day) > v_now then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED',
      detail = app.retry_after(app.next_code_at(v_code, v_codes_per_day))::text;
  end if;

  update app.otp_codes as c
  set code_hash = decode(p_args ->> 'codeHash', 'hex'),
    wrong_try_count = 0,
    requested_at = v_now,
    expires_at = v_now + v_policy.expires_after,
    sent_at = case when v_codes_per_day is null then v_code.sent_at else (v_now || v_code.sent_at)[1:v_codes_per_day] end
  where c.phone_hash = v_phone_hash;

  return jsonb_build_object(
    'phoneNumber', p_args ->> 'phoneNumber',
    'resendAfterSeconds', extract(epoch from v_policy.resend_after)::integer,
    'expiresAt', app.iso(v_now + v_policy.expires_after)
  );
end
$$;
comment on function api.request_otp(jsonb) is 'POST /auth/otp/request (spec.md A). Takes phoneNumber, phoneHash, codeHash (keyed, hex), codesPerDay (null for a test number), addressHash (null where addresses do not count) and requestsPerAddress (an hour); answers phoneNumber, resendAfterSeconds, expiresAt. Knows nothing of accounts, so that it answers alike for every phone. Raises RATE_LIMITED: a code a minute, and beyond those limits.';

revoke all on function api.request_otp(jsonb) from public;
grant execute on function api.request_otp(jsonb) to opine_service;
