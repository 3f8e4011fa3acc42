select plan(6);

select tests.person('maya');
select tests.session('maya');

-- What the Data API does before each request.
prepare first_of_all as select app.check_session();

select set_config('request.jwt.claims', '{"role": "anon"}', true);
set local role anon;
select lives_ok('first_of_all', 'a guest has no session that could have ended');
select throws_ok($$ select app.session_is_live('{}') $$, '42501', null, 'and asks for nobody''s');

set local role none;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select lives_ok('first_of_all', 'a live session is served');

select set_config('request.jwt.claims', (tests.claims('maya') - 'session_id')::text, true);
select throws_ok('first_of_all', 'PT401', 'UNAUTHORIZED', 'a token of no session of ours is not');

select set_config('request.jwt.claims', '', true);
select throws_ok('first_of_all', 'PT401', 'UNAUTHORIZED', 'nor what has no claims at all');

set local role none;
delete from app.sessions where user_id = tests.id('maya');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
set local role authenticated;
select throws_ok('first_of_all', 'PT401', 'UNAUTHORIZED', 'nor a session that has ended, however long its token is good for');

select * from finish();
