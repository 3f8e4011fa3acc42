select plan(3);

select tests.person('lena', 1);
select set_eq($$ select tests.who_may($s$ select api.check_handle('{}') $s$) $$, array['authenticated'], 'guests look nothing up');
select tests.act_as('lena');
select lives_ok($$ select api.check_handle('{"username": "lena"}') $$, 'an anonymous user may');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.check_handle('{"username": "lena"}') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');

select * from finish();
