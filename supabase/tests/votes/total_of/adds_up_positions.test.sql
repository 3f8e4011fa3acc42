select plan(2);

select is(app.total_of(row(1, 20, 300, 4000, 50000)), 54321::bigint, 'all five');
select is(app.total_of(null), 0::bigint, 'of no pool none');

select * from finish();
