select plan(5);

select tests.person('lena', 1);
select tests.notification('hers', 'lena');
select results_eq($$ select tests.items(tests.inbox('lena')) $$, tests.ids('hers'), 'also without a profile');
select tests.act_as('lena');
select throws_ok($$ select api.list_notifications('{"limit": 101}') $$, 'PT422', 'VALIDATION_FAILED', 'a hundred at most');
select throws_ok($$ select api.list_notifications('{"cursor": "here"}') $$, 'PT422', 'VALIDATION_FAILED', 'from a cursor of ours');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.list_notifications('{}') $$, 'PT401', 'UNAUTHORIZED', 'as long as it lives');
reset role;
select set_eq($$ select tests.who_may($s$ select api.list_notifications('{}') $s$) $$, array['authenticated'], 'guests have none');

select * from finish();
