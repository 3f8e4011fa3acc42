set transaction isolation level serializable;
select plan(3);

select tests.person('maya', 3);
select tests.person('jonas', 2);
select tests.slider('trams', 'maya');
select tests.act_as('jonas');
select is(api.cast_vote(tests.arguments('trams') || '{"position": "strong_right"}'), '{}', 'a registered person votes');
reset role;
select results_eq(
  'select post_id, user_id from app.vote_receipts', $$ values (tests.id('trams'), tests.id('jonas')) $$, 'a receipt says who'
);
select is(app.pool_totals(tests.id('trams')), row(0, 0, 0, 0, 1)::app.position_counts, 'the pool says what');

select * from finish();
