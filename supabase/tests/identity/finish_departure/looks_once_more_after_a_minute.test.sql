select plan(5);

select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
select app.claim_departure();
select app.finish_departure(tests.id('maya'));
select results_eq(
  'select due_at, attempt_count from app.departures', $$ values (now() + interval '1 minute', 0) $$,
  'requests of before may still add something: it is looked at again'
);

-- What a request that began before the account ended may write.
select tests.session('maya');
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select tests.post('late', 'maya');
select app.set_clock_offset('59.999999 seconds');
select app.finish_departure(tests.id('maya'));
select is_empty('select from app.sessions union all select from app.profiles union all select from app.posts', 'what came late goes too');
select isnt_empty('select from app.departures', 'until then the departure stays');
select app.set_clock_offset('1 minute');
select app.finish_departure(tests.id('maya'));
select is_empty('select from app.departures', 'then it is over');
select isnt(ended_at, null, 'and the tombstone stays') from app.users;

select * from finish();
