select plan(3);

select tests.named('sam_' || n, 'Kim Lee') from generate_series(10, 16) as n;
select tests.act_as_guest();
select is(cardinality(tests.search('kim')), 7, 'many have one name');
select is(tests.on_pages('search_users', '{"q": "kim", "limit": 2}'), tests.search('kim'), 'pages by a name hold each of them once');
select is(tests.on_pages('search_users', '{"q": "lee", "limit": 2}'), tests.search('lee'), 'and so do pages by a last name');

select * from finish();
