select plan(9);

select tests.person('maya');
select tests.session('maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.request_code('maya', '1234');

select tests.act_as('maya');
select results_eq('select id from app.sessions', array[tests.id('session of maya')], 'one sees one''s own');
select throws_ok($$ update app.sessions set last_used_at = now() $$, '42501', null, 'changes none');
select throws_ok('select from app.' || hidden, '42501', null, 'and does not see ' || hidden)
from unnest(array['refresh_tokens', 'otp_codes']) as hidden;
delete from app.sessions;
select tests.act_as_guest();
select throws_ok('select from app.' || hidden, '42501', null, 'nor does a guest see ' || hidden)
from unnest(array['sessions', 'refresh_tokens', 'otp_codes']) as hidden;
select throws_ok('delete from app.sessions', '42501', null, 'nor end any');
reset role;
select results_eq('select id from app.sessions', array[tests.id('session of jonas')], 'who ends theirs ends nobody else''s');

select * from finish();
