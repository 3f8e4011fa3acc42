select plan(2);

select tests.person('guest', 1);
select tests.session('guest');
select tests.person('former guest', 1);
select tests.request_code('maya', '1234');
select tests.request_code('jonas', '1234');

create function pg_temp.verify(p_name text, p_claims jsonb)
returns text
language sql
return gateway.invoke_as_service('verify_otp', p_claims, tests.sign_in('token of ' || p_name) || jsonb_build_object(
  'phoneNumber', tests.phone_of(p_name), 'phoneHash', tests.hex(tests.phone_of(p_name)),
  'codeHash', tests.hex('1234')
), true);

set local session authorization opine_gateway;
select is(
  pg_temp.verify('maya', tests.claims('guest'))::jsonb -> 'user' ->> 'id', tests.id('guest')::text,
  'the user of a live session becomes the phone''s'
);
set local role none;
select isnt(
  pg_temp.verify('jonas', tests.claims('former guest'))::jsonb -> 'user' ->> 'id', tests.id('former guest')::text,
  'a dead session is left out, and signing in goes on without it'
);

select * from finish();
