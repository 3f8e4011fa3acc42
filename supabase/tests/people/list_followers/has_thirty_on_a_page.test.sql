select plan(2);

select tests.person('maya');
select tests.person('user_' || n) from generate_series(101, 131) as n;
select tests.follow('user_' || n, 'maya') from generate_series(101, 131) as n;
select tests.act_as('maya');
select is(cardinality(tests.usernames(api.list_followers(tests.user('maya')))), 30, 'unless another number is asked for');
select is(cardinality(tests.usernames(api.list_followers(tests.user('maya') || '{"limit": 100}'))), 31, 'which may be up to 100');

select * from finish();
