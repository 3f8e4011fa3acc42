set transaction isolation level serializable;
select plan(3);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.act_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "centre"}') $$, 'PT422', 'VALIDATION_FAILED', 'a position beside the five is refused'
);
select throws_ok($$ select api.cast_vote(tests.arguments('trams')) $$, 'PT422', 'VALIDATION_FAILED', 'a vote without a position is refused');
reset role;
select is_empty('select from app.vote_receipts', 'nothing is counted');

select * from finish();
