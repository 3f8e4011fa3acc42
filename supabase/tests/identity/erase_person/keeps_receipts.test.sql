select plan(2);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'jonas');
select tests.vote('maya', 'trams', 'left');
select app.erase_person(tests.id('maya'));
select results_eq('select user_id from app.vote_receipts', array[tests.id('maya')], 'the receipt of a vote stays, of an id without a name');
select is(app.total_of(app.pool_totals(tests.id('trams'), null)), 1::bigint, 'and the vote counts on');

select * from finish();
