select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select is(tests.violation_of($$ select tests.follow('maya', 'jonas') $$), 'follows_pkey', 'one follows somebody once');
select is(tests.violation_of($$ select tests.follow('maya', 'maya') $$), 'follows_are_of_others', 'and never oneself');
select is(tests.violation_of($$ select tests.follow('jonas', 'maya') $$), null, 'who is followed may follow back');
select ok(not is_muted, 'a follow begins unmuted') from app.follows where follower_id = tests.id('maya');
select is(created_at, app.now(), 'now') from app.follows where follower_id = tests.id('maya');

select * from finish();
