select plan(7);

select tests.person('anonymous', 1);
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('trams', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');

select tests.act_as('jonas');
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, 'PT403', 'FORBIDDEN', 'nobody else deletes it');
select throws_ok($$ select api.delete_post(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'nor learns of one hidden from them');
select throws_ok($$ select api.delete_post(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'just as of one that never was');
select tests.act_as('anonymous');
select throws_ok($$ select api.delete_post(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'whoever asks');
select tests.act_as_guest();
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, '42501', null, 'a guest deletes none');
reset role;
select is(count(*)::integer, 2, 'both posts are there') from app.posts;

create function pg_temp.skip() returns trigger language plpgsql as 'begin return null; end';
create trigger quicker before delete on app.posts for each row execute function pg_temp.skip();
select tests.act_as('maya');
select throws_ok($$ select api.delete_post(tests.arguments('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'an author whose other device was quicker finds none');

select * from finish();
