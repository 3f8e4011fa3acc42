select plan(1);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select results_eq(
  'select post_id, user_id, voted_at from app.vote_receipts',
  $$ values (tests.id('trams'), tests.id('maya'), date_trunc('minute', app.now())) $$,
  'that they voted, to the minute, and not what'
);

select * from finish();
