select plan(5);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('trams', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');

select tests.act_as('jonas');
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, 'PT403', 'FORBIDDEN', 'nobody else deletes it');
select throws_ok($$ select api.delete_post(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'nor learns of one hidden from them');
select throws_ok($$ select api.delete_post(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'just as of one that never was');
select tests.act_as_guest();
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, '42501', null, 'a guest deletes none');
reset role;
select is(count(*)::integer, 2, 'both posts are there') from app.posts;

select * from finish();
