create function app.grant_to_phone(p_phone text, p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_sign_in record := app.sign_in_with_phone(p_phone, app.user_id());
  v_grant jsonb := app.open_session(v_sign_in.user_id, p_args);
begin
  update app.device_tokens
  set session_id = (v_grant ->> 'sessionId')::uuid
  where user_id = v_sign_in.user_id and session_id is null;
  return v_grant || jsonb_build_object('isNewUser', v_sign_in.is_new, 'merged', v_sign_in.is_merged);
end
$$;
comment on function app.grant_to_phone(text, jsonb) is 'A session for a phone whose ownership was just proven; a session in the claims is merged, and its device tokens go with the new one. p_args: refreshTokenHash and deviceKind. Answers app.session_grant with isNewUser and merged.';

revoke all on function app.grant_to_phone(text, jsonb) from public;
