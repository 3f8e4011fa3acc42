set transaction isolation level serializable;
select plan(3);

select tests.person('maya', 3);
select tests.person('guest', 1);
select tests.slider('trams', 'maya');
select tests.act_as('guest');
select is(
  tests.error_of($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'an anonymous user registers first'
);
select tests.act_as_guest();
select throws_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, '42501', null, 'a guest does not vote');
reset role;
select is_empty('select from app.vote_slots union all select from app.vote_receipts', 'nothing is counted');

select * from finish();
