select plan(3);

select is(
  tests.violation_of($$ insert into staff.allowed_emails (email) values ('Ada@opine.example') $$), 'allowed_emails_email_is_lower_case',
  'an e-mail is listed as it is compared'
);
select is(tests.violation_of($$ insert into staff.allowed_emails (email) values ('ada@opine.example') $$), null, 'in lower case');
select is(tests.violation_of($$ insert into staff.allowed_emails (email) values ('ada@opine.example') $$), 'allowed_emails_pkey', 'once');

select * from finish();
