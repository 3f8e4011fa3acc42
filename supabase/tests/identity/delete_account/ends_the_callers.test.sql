select plan(6);

select tests.person('maya', 4);
select tests.session('maya');
select tests.person('jonas', 4);
select tests.session('jonas');
select tests.act_as('maya');
select is(api.delete_account('{}'), '{}', 'there is nothing more to tell');
select throws_ok($$ select api.delete_account('{}') $$, 'PT401', 'UNAUTHORIZED', 'the session ends with it');
reset role;
select ok(not gateway.session_is_live(tests.claims('maya')), 'for every way in');
select results_eq('select id from app.users where ended_at is null', array[tests.id('jonas')], 'others live on');
select is(
  tests.refresh('token of maya', 'successor') -> 'refusal' ->> 'code', 'UNAUTHORIZED', 'nothing brings the session back'
);
select ok((app.sign_in_with_phone(tests.phone_of('maya'), null)).is_new, 'who comes back by the same phone is new');

select * from finish();
