create function api.verify_otp(p_args jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_refusal jsonb := app.consume_otp(decode(p_args ->> 'phoneHash', 'hex'), decode(p_args ->> 'codeHash', 'hex'));
  v_sign_in record;
begin
  if v_refusal is not null then
    return v_refusal;
  end if;
  v_sign_in := app.sign_in_with_phone(p_args ->> 'phoneNumber', app.user_id());
  return app.open_session(v_sign_in.user_id, decode(p_args ->> 'refreshTokenHash', 'hex'))
    || jsonb_build_object('isNewUser', v_sign_in.is_new, 'merged', v_sign_in.is_merged);
end
$$;
comment on function api.verify_otp(jsonb) is 'POST /auth/otp/verify (spec.md A). Takes phoneNumber, phoneHash, codeHash, refreshTokenHash; a session in the claims is merged. Answers app.session_grant with isNewUser and merged. Refuses with OTP_INVALID, OTP_EXPIRED, RATE_LIMITED.';

revoke all on function api.verify_otp(jsonb) from public;
grant execute on function api.verify_otp(jsonb) to opine_identity;
