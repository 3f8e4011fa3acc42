select plan(4);

select tests.person('maya');
select tests.session('maya');

select ok(gateway.session_is_live(tests.claims('maya')), 'whole claims of a live session are live');
select is(gateway.session_is_live(tests.claims('maya') - 'exp'), false, 'claims that never expire are dead');
select is(gateway.session_is_live(tests.claims('maya') - 'session_id'), false, 'claims without a session are dead');
select is(gateway.session_is_live('{}'), false, 'empty claims are dead');

select * from finish();
