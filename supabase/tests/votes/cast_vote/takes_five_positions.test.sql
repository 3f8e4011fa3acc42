set transaction isolation level serializable;
select plan(3);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.act_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "centre"}') $$, '22P02', null, 'there is no sixth position'
);
select throws_ok($$ select api.cast_vote(tests.arguments('trams')) $$, '23502', null, 'and none is no vote');
reset role;
select is_empty('select from app.vote_receipts', 'nothing is counted');

select * from finish();
