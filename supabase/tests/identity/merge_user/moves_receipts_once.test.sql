select plan(3);

select tests.person('maya', 3);
select tests.person('lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.vote('lena', 'trams', 'left');
select tests.vote('lena', 'bikes', 'left');
select tests.vote('maya', 'bikes', 'right');
select app.merge_user(tests.id('lena'), tests.id('maya'));

select bag_eq(
  'select post_id, user_id from app.vote_receipts',
  $$ values (tests.id('trams'), tests.id('maya')), (tests.id('bikes'), tests.id('maya')) $$,
  'each post keeps one receipt of the person'
);
select is(app.total_of(app.pool_totals(tests.id('trams'), null)), 1::bigint, 'the vote moved with its receipt counts on');
select is(app.total_of(app.pool_totals(tests.id('bikes'), null)), 2::bigint, 'pools are not touched: which vote to take out, nobody knows');

select * from finish();
