select plan(2);

select tests.named('who_' || n, 'Katarina ' || repeat('m', n)) from generate_series(1, 5) as n;
select tests.act_as_guest();
select is(cardinality(tests.search('katharina')), 5, 'five are called alike');
select is(
  tests.on_pages('search_users', '{"q": "katharina", "limit": 2}'), tests.search('katharina'), 'and are on pages as on one'
);

select * from finish();
