select plan(2);

-- That it commits between write and read cannot be shown inside a test's transaction; votes over HTTP show it.
select tests.person('maya');
select tests.session('maya');
select tests.slider('trams', 'maya');
set local session authorization opine_serializable;
select throws_ok(
  $$ call gateway.invoke_then_read('cast_vote', tests.claims('maya'), tests.arguments('trams') || '{"position": "left"}', null) $$,
  'P0001', 'gateway.invoke_then_read needs a serializable transaction.', 'what needs no SERIALIZABLE does not come this way'
);
reset session authorization;
select is_empty('select from app.vote_receipts', 'nothing is written');

select * from finish();
