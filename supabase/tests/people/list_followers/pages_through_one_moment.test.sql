select plan(2);

select tests.person('maya');
select tests.person('user_' || n) from generate_series(10, 16) as n;
select tests.follow('user_' || n, 'maya') from generate_series(10, 16) as n;

select tests.act_as('maya');
create temporary table people as select tests.usernames(api.list_followers(tests.user('maya'))) as all_of_them;
select is(cardinality(all_of_them), 7, 'seven came at one time') from people;
select is(tests.on_pages('list_followers', tests.user('maya') || '{"limit": 2}'), all_of_them, 'and are on pages as on one') from people;

select * from finish();
