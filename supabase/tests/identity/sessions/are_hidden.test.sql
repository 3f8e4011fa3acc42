select plan(6);

select tests.person('maya');
select tests.session('maya');
select tests.request_code('maya', '1234');

select tests.act_as('maya');
select throws_ok('select from app.' || hidden, '42501', null, 'a member does not see ' || hidden)
from unnest(array['sessions', 'refresh_tokens', 'otp_codes']) as hidden;
select tests.act_as_guest();
select throws_ok('select from app.' || hidden, '42501', null, 'nor does a guest see ' || hidden)
from unnest(array['sessions', 'refresh_tokens', 'otp_codes']) as hidden;

select * from finish();
