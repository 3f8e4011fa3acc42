select plan(5);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('lena', 'maya');
select tests.follow('lena', 'jonas');
select tests.block('maya', 'lena');
select tests.block('jonas', 'maya');
select tests.block('jonas', 'lena');
select app.end_user(tests.id('maya'));
select app.set_clock_offset('1 minute');
select app.claim_departure();
select app.finish_departure(tests.id('maya'));
select set_eq('select tests.follows()', array['lena > jonas'], 'follows on either side');
select results_eq('select blocker_id, blocked_id from app.blocks', $$ values (tests.id('jonas'), tests.id('lena')) $$, 'and blocks');
select set_eq(
  'select user_id, follower_count, following_count from app.follow_counts',
  $$ values (tests.id('jonas'), 1, 0), (tests.id('lena'), 0, 1) $$, 'what others have is counted as it is now, and nothing of who left'
);
select is_empty('select from app.departures', 'then it is over');
select is(count(*)::integer, 3, 'the tombstone stays') from app.users;

select * from finish();
