select plan(2);

select tests.person('user_' || n) from generate_series(101, 131) as n;
select tests.act_as_guest();
select is(cardinality(tests.search('user_1')), 30, 'unless another number is asked for');
select is(cardinality(tests.search('user_1', '{"limit": 100}')), 31, 'which may be up to 100');

select * from finish();
