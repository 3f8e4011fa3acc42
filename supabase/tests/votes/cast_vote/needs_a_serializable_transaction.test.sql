select plan(2);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.act_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$,
  'PT403', 'FORBIDDEN', 'a vote outside a serializable transaction is refused'
);
select is_empty('select from app.vote_receipts', 'nothing is counted');

select * from finish();
