select plan(9);

insert into staff.allowed_emails (email) values ('ben@opine.example');
select tests.sign_in_as_staff('of ada', tests.staff_identity('ada@opine.example'));
select tests.sign_in_as_staff('of ben', tests.staff_identity('ben@opine.example'));

create function pg_temp.email_of(p_token text, p_policy jsonb default tests.staff_policy())
returns text
language sql
begin atomic
  select m.email from gateway.staff_member(tests.hex(p_token), p_policy) as m where m.role is not null;
end;

select is(pg_temp.email_of('of ada'), 'ada@opine.example', 'a live session is of somebody of staff');
select is(role, 'staff_moderator', 'as what the list says they are') from gateway.staff_member(tests.hex('of ben'), tests.staff_policy());
select is(pg_temp.email_of('forged'), null, 'a forged one is nobody''s');
select is(pg_temp.email_of(null), null, 'nor is none');
select is(pg_temp.email_of('of ada', '{"allowedEmails": []}'), null, 'who is off the list is staff no more');
delete from staff.allowed_emails;
select is(pg_temp.email_of('of ben'), null, 'off the table as well');
select app.set_clock_offset('7 hours 59 minutes 59 seconds');
select is(pg_temp.email_of('of ada'), 'ada@opine.example', 'a session lives for nearly eight hours');
select app.set_clock_offset('8 hours');
select is(pg_temp.email_of('of ada'), null, 'and not a moment longer');
select set_eq($$ select tests.who_may($s$ select gateway.staff_member('', '{}') $s$) $$, array['opine_gateway'], 'the gateway''s login asks');

select * from finish();
