create function api.exchange_id_token(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_anonymous record;
begin
  if p_args ->> 'phoneNumber' is not null then
    return app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
  end if;
  v_anonymous := app.anonymous_user(decode(p_args ->> 'subjectHash', 'hex'));
  return app.open_session(v_anonymous.user_id, p_args)
    || jsonb_build_object('isNewUser', v_anonymous.is_new, 'merged', false);
end
$$;
comment on function api.exchange_id_token(jsonb) is 'POST /auth/idp/token (spec.md A). Takes what the service has verified of an ID token: phoneNumber (E.164) or, of an anonymous identity, subjectHash (keyed, hex); refreshTokenHash and deviceKind. A phone''s session is as by code; only a verified phone merges the session in the claims. Answers app.session_grant with isNewUser and merged. Raises ACCOUNT_SUSPENDED.';

revoke all on function api.exchange_id_token(jsonb) from public;
grant execute on function api.exchange_id_token(jsonb) to opine_service;
