select plan(2);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.act_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$,
  'P0001', 'A vote needs a serializable transaction.', 'under less, receipt and membership could be of different moments'
);
select is_empty('select from app.vote_receipts', 'nothing is counted');

select * from finish();
