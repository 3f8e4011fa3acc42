select plan(7);

select tests.log_in_as('nina', 'staff_admin');
select staff.admit(' Otto@Opine.example ', 'support', 'has joined us');
select results_eq('select email, role from staff.allowed_emails', $$ values ('otto@opine.example', 'support'::staff.role) $$, 'otto is staff');
select staff.admit('otto@opine.example', 'moderator', 'has learned it');
select results_eq('select role from staff.allowed_emails', array['moderator'::staff.role], 'and more');
reset session authorization;
select tests.sign_in_as_staff('cookie', tests.staff_identity('otto@opine.example'));
set local session authorization nina;
select throws_ok($$ select staff.dismiss('otto@opine.example', null) $$, 'PT422', 'REASON_MISSING', 'nobody goes without a reason');
select staff.dismiss('otto@opine.example', 'has left us');
select throws_ok($$ select staff.dismiss('otto@opine.example', 'has left us') $$, 'PT404', 'USER_NOT_FOUND', 'who is no staff cannot go');
reset session authorization;
select is_empty('select from staff.allowed_emails', 'then he is not');
select is_empty('select from staff.sessions', 'and his session has ended');
select is(count(*), 3::bigint, 'all of that is written down') from staff.audit_log where action in ('admit', 'dismiss') and actor_email = 'nina';

select * from finish();
