select plan(12);

create function pg_temp.refusal(p_change jsonb, p_email text default 'ada@opine.example')
returns text
language sql
return staff.sign_in_refusal(tests.staff_identity(p_email, p_change), tests.staff_policy());

select is(pg_temp.refusal('{}'), null, 'a verified e-mail of the domain on the list is let in');
select is(staff.sign_in_refusal(null, tests.staff_policy()), 'token_invalid', 'nobody without a good token is');
select is(pg_temp.refusal('{"isEmailVerified": false}'), 'email_unverified', 'nor an e-mail that nobody verified');
select is(pg_temp.refusal('{"isEmailVerified": null}'), 'email_unverified', 'or of which that is not said');
select is(pg_temp.refusal('{"isEmailVerified": "true"}'), 'email_unverified', 'or said in other words');
select is(
  staff.sign_in_refusal('{"email": "ada@opine.example", "hostedDomain": "opine.example"}', tests.staff_policy()), 'email_unverified',
  'or not at all'
);
select is(pg_temp.refusal('{"hostedDomain": "other.example"}'), 'wrong_domain', 'nor another workspace');
select is(pg_temp.refusal('{"hostedDomain": null}'), 'wrong_domain', 'nor a private account, whatever its e-mail');
select is(pg_temp.refusal('{}', 'cleo@opine.example'), 'not_listed', 'nor who is not on the list');
insert into staff.allowed_emails (email) values ('cleo@opine.example'), ('dan@other.example');
select is(pg_temp.refusal('{}', 'cleo@opine.example'), null, 'until they are');
select is(pg_temp.refusal('{"hostedDomain": "other.example"}', 'dan@other.example'), 'wrong_domain', 'the list opens no other domain');
select is_empty($$ select tests.who_may('select staff.sign_in_refusal(null, null)') $$, 'no role asks for itself');

select * from finish();
