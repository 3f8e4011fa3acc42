create function app.consume_otp(p_phone_hash bytea, p_code_hash bytea)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_policy record := app.otp_policy();
  v_code app.otp_codes;
begin
  select * into v_code from app.otp_codes as c where c.phone_hash = p_phone_hash for update;
  if v_code.code_hash is null then
    return app.refusal('OTP_INVALID');
  end if;
  if v_code.wrong_try_count >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(v_code.requested_at + v_policy.resend_after));
  end if;
  if v_code.expires_at <= app.now() then
    return app.refusal('OTP_EXPIRED');
  end if;
  if v_code.code_hash = p_code_hash then
    update app.otp_codes as c set code_hash = null where c.phone_hash = p_phone_hash;
    return null;
  end if;
  update app.otp_codes as c set wrong_try_count = c.wrong_try_count + 1 where c.phone_hash = p_phone_hash;
  if v_code.wrong_try_count + 1 >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(v_code.requested_at + v_policy.resend_after));
  end if;
  return app.refusal('OTP_INVALID');
end
$$;
comment on function app.consume_otp(bytea, bytea) is 'Uses up the code of a phone: null where it was right, else the refusal OTP_INVALID, OTP_EXPIRED or RATE_LIMITED (contract.md 3). The row''s lock makes tries count one after the other; what is compared are keyed hashes, whose bytes tell a timing observer nothing of the code.';

revoke all on function app.consume_otp(bytea, bytea) from public;
