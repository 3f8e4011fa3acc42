create function tests.staff_policy()
returns jsonb
language sql
immutable
return '{"allowedDomain": "opine.example", "allowedEmails": ["ada@opine.example"]}'::jsonb;
comment on function tests.staff_policy() is 'Who is staff by the service''s configuration: Ada of opine.example.';

create function tests.staff_identity(p_email text, p_change jsonb default '{}')
returns jsonb
language sql
immutable
return jsonb_build_object('email', p_email, 'isEmailVerified', true, 'hostedDomain', 'opine.example') || p_change;
comment on function tests.staff_identity(text, jsonb) is 'What a good ID token of the workspace says, but for p_change.';

create function tests.sign_in_as_staff(p_token text, p_identity jsonb, p_address text default null)
returns jsonb
language sql
return api.start_staff_session(jsonb_build_object(
  'identity', p_identity,
  'policy', tests.staff_policy(),
  'tokenHash', tests.hex(p_token),
  'addressHash', tests.hex(p_address)
));
comment on function tests.sign_in_as_staff(text, jsonb, text) is 'Somebody brings an ID token to the staff sign-in, from p_address where that counts, and would get the cookie p_token.';

create function tests.as_staff(p_operation text, p_token text, p_args jsonb default '{}')
returns jsonb
language sql
return gateway.invoke_as_staff(p_operation, tests.hex(p_token), tests.staff_policy(), p_args)::jsonb;
comment on function tests.as_staff(text, text, jsonb) is 'A request with the staff cookie p_token, for the gateway''s login to make.';
