select plan(4);

select tests.person('lena', 1);
select set_eq($$ select tests.who_may($s$ select api.delete_account('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
select tests.act_as('nobody');
select throws_ok($$ select api.delete_account('{}') $$, 'PT401', 'UNAUTHORIZED', 'who has no account ends none');
select tests.act_as('lena');
select lives_ok($$ select api.delete_account('{}') $$, 'an anonymous user may leave too');
reset role;
select isnt(ended_at, null, 'and has left') from app.users;

select * from finish();
