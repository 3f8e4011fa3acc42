create function tests.request_code(p_name text, p_code text, p_is_test_number boolean default false)
returns jsonb
language sql
return api.request_otp(jsonb_build_object(
  'phoneNumber', tests.phone_of(p_name),
  'phoneHash', tests.hex(tests.phone_of(p_name)),
  'codeHash', tests.hex(p_code),
  'isTestNumber', p_is_test_number
));
comment on function tests.request_code(text, text, boolean) is 'A person asks for a one-time code, and the service sends p_code.';

create function tests.enter_code(p_name text, p_code text)
returns jsonb
language sql
return api.verify_otp(jsonb_build_object(
  'phoneNumber', tests.phone_of(p_name),
  'phoneHash', tests.hex(tests.phone_of(p_name)),
  'codeHash', tests.hex(p_code),
  'refreshTokenHash', encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'hex')
));
comment on function tests.enter_code(text, text) is 'A person enters a one-time code.';

create function tests.refresh(p_token text, p_successor text)
returns jsonb
language sql
return api.refresh_session(jsonb_build_object('refreshTokenHash', tests.hex(p_token), 'successorHash', tests.hex(p_successor)));
comment on function tests.refresh(text, text) is 'Somebody presents a refresh token, whose successor would be p_successor.';
