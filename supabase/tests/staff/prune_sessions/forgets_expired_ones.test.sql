select plan(2);

select tests.sign_in_as_staff('older', tests.staff_identity('ada@opine.example'));
select app.set_clock_offset('1 second');
select tests.sign_in_as_staff('newer', tests.staff_identity('ada@opine.example'));
select app.set_clock_offset('8 hours');
set local session authorization opine_worker;
select staff.prune_sessions();
reset session authorization;
select results_eq('select token_hash from staff.sessions', array[tests.hash('newer')], 'a session goes when it has expired, and not before');
select set_eq($$ select tests.who_may('select staff.prune_sessions()') $$, array['opine_worker'], 'the worker sees to it');

select * from finish();
