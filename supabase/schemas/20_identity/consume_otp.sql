create function app.consume_otp(p_phone_hash bytea, p_code_hash bytea, p_codes_per_day integer, p_wrong_tries_per_day integer)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_policy record := app.otp_policy();
  v_passes_at timestamptz := app.meter_opens_at('wrong codes', '', p_wrong_tries_per_day, interval '1 day');
  v_code app.otp_codes;
begin
  if v_passes_at is not null then
    return app.refusal('RATE_LIMITED', app.retry_after(v_passes_at));
  end if;
  select * into v_code from app.otp_codes as c where c.phone_hash = p_phone_hash for update;
  if v_code.code_hash is null then
    return app.refusal('OTP_INVALID');
  end if;
  if v_code.wrong_try_count >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(app.next_code_at(v_code, p_codes_per_day)));
  end if;
  if v_code.expires_at <= app.now() then
    return app.refusal('OTP_EXPIRED');
  end if;
  if v_code.code_hash = p_code_hash then
    update app.otp_codes as c set code_hash = null where c.phone_hash = p_phone_hash;
    return null;
  end if;
  update app.otp_codes as c set wrong_try_count = c.wrong_try_count + 1 where c.phone_hash = p_phone_hash;
  v_passes_at := app.use_meter('wrong codes', '', p_wrong_tries_per_day, interval '1 day');
  if v_passes_at is not null then
    -- Others at once have used up what the first look still saw: no guesser shall learn that this one was wrong.
    return app.refusal('RATE_LIMITED', app.retry_after(v_passes_at));
  end if;
  if v_code.wrong_try_count + 1 >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(app.next_code_at(v_code, p_codes_per_day)));
  end if;
  return app.refusal('OTP_INVALID');
end
$$;
comment on function app.consume_otp(bytea, bytea, integer, integer) is 'Uses up the code of a phone: null where it was right, else the refusal OTP_INVALID, OTP_EXPIRED or RATE_LIMITED (contract.md 3). p_codes_per_day: what app.next_code_at takes, for when to come back. p_wrong_tries_per_day: beyond so many wrong tries of the whole service nobody passes, whoever guesses across many phones; null for a test number. The row''s lock makes tries count one after the other; what is compared are keyed hashes, whose bytes tell a timing observer nothing of the code.';

revoke all on function app.consume_otp(bytea, bytea, integer, integer) from public;
