select plan(6);

insert into staff.allowed_emails (email) values ('ben@opine.example');
insert into staff.allowed_emails (email, role) values ('ada@opine.example', 'support'), ('dan@opine.example', 'support');

select is(staff.role_of('ada@opine.example', tests.staff_policy()), 'admin', 'whom the configuration names may do everything');
select is(staff.role_of('ben@opine.example', tests.staff_policy()), 'moderator', 'who is in the table is a moderator');
select is(staff.role_of('dan@opine.example', '{}'), 'support', 'or what it says; either list may be empty');
select is(staff.role_of(email, tests.staff_policy()), null, format('%s is on neither', email))
from unnest(array['cleo@opine.example', 'Ada@Opine.Example', null]) as email;

select * from finish();
