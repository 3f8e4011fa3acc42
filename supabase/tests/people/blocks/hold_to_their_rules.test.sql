select plan(3);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.block('maya', 'jonas');
select is(tests.violation_of($$ select tests.block('maya', 'jonas') $$), 'blocks_pkey', 'one blocks somebody once');
select is(tests.violation_of($$ select tests.block('maya', 'maya') $$), 'blocks_are_of_others', 'and never oneself');
select is(tests.violation_of($$ select tests.block('jonas', 'maya') $$), null, 'two may block each other');

select * from finish();
