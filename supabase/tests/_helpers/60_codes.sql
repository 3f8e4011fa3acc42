create function tests.sign_in(p_token text)
returns jsonb
language sql
immutable
return jsonb_build_object('refreshTokenHash', tests.hex(p_token), 'deviceKind', 'ios');
comment on function tests.sign_in(text) is 'What the service hands over with every proof: the session''s first refresh token, and the device.';

create function tests.request_code(p_name text, p_code text, p_is_test_number boolean default false, p_address text default null)
returns jsonb
language sql
return api.request_otp(jsonb_build_object(
  'phoneNumber', tests.phone_of(p_name),
  'phoneHash', tests.hex(tests.phone_of(p_name)),
  'codeHash', tests.hex(p_code),
  'codesPerDay', case when not p_is_test_number then 5 end,
  'addressHash', tests.hex(p_address),
  'requestsPerAddress', 4
));
comment on function tests.request_code(text, text, boolean, text) is 'A person asks for a one-time code, from p_address where that counts, and the service sends p_code.';

create function tests.enter_code(p_name text, p_code text, p_limits jsonb default '{}')
returns jsonb
language sql
return api.verify_otp(tests.sign_in(gen_random_uuid()::text) || p_limits || jsonb_build_object(
  'phoneNumber', tests.phone_of(p_name),
  'phoneHash', tests.hex(tests.phone_of(p_name)),
  'codeHash', tests.hex(p_code)
));
comment on function tests.enter_code(text, text, jsonb) is 'A person enters a one-time code. p_limits: wrongTriesPerDay, addressHash, triesPerAddress, where they count.';

create function tests.refresh(p_token text, p_successor text)
returns jsonb
language sql
return api.refresh_session(jsonb_build_object('refreshTokenHash', tests.hex(p_token), 'successorHash', tests.hex(p_successor)));
comment on function tests.refresh(text, text) is 'Somebody presents a refresh token, whose successor would be p_successor.';
