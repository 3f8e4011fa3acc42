create function api.exchange_id_token(p_args jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_subject_hash bytea := decode(p_args ->> 'subjectHash', 'hex');
  v_is_new boolean;
begin
  if p_args ->> 'phoneNumber' is not null then
    return app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
  end if;
  v_is_new := not exists (select from app.users as u where u.device_hash = v_subject_hash);
  return app.open_session(app.anonymous_user(v_subject_hash), p_args)
    || jsonb_build_object('isNewUser', v_is_new, 'merged', false);
end
$$;
comment on function api.exchange_id_token(jsonb) is 'POST /auth/idp/token (spec.md A). Takes what the service has verified of an ID token: phoneNumber (E.164) or, of an anonymous identity, subjectHash (keyed, hex); refreshTokenHash and deviceKind. A phone''s session is as by code; only a verified phone merges the session in the claims. Answers app.session_grant with isNewUser and merged.';

revoke all on function api.exchange_id_token(jsonb) from public;
grant execute on function api.exchange_id_token(jsonb) to opine_identity;
