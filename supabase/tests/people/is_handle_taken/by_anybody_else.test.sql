select plan(5);

select tests.person('maya');
select tests.person('jonas');
select tests.block('jonas', 'maya');
select tests.act_as('maya');
select ok(app.is_handle_taken('jonas'), 'also by somebody whom the caller does not see');
select ok(not app.is_handle_taken('maya'), 'but not by the caller');
select ok(not app.is_handle_taken('free'), 'nor by nobody');
select is(app.handle_refusal('jonas'), 'taken', 'so that it is refused before the profile is');
reset role;
select set_eq($$ select tests.who_may('select app.is_handle_taken(null)') $$, array['authenticated'], 'members look handles up');

select * from finish();
