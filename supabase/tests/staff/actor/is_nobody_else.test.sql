select plan(3);

select set_config('request.jwt.claims', '{"email": "ada@opine.example"}', true);
set local session authorization opine_gateway;
set local role staff_support;
select is(staff.actor(), 'ada@opine.example', 'behind a request of the staff page it is who signed in');
reset role;
reset session authorization;
select tests.log_in_as('nina', 'staff_support');
select is(staff.actor(), 'nina', 'who logs in for themselves is nobody else, whatever they claim');
reset session authorization;
select bag_eq($$ select tests.who_may('select staff.actor()') $$, array['staff_support', 'staff_moderator', 'staff_admin'], 'staff asks');

select * from finish();
