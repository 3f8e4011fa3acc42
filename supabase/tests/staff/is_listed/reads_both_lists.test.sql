select plan(7);

insert into staff.allowed_emails (email) values ('ben@opine.example');

create function pg_temp.is_listed(p_email text, p_policy jsonb default tests.staff_policy())
returns boolean
language sql
return staff.is_listed(p_email, p_policy);

select ok(pg_temp.is_listed('ada@opine.example'), 'whom the configuration names is listed');
select ok(pg_temp.is_listed('ben@opine.example'), 'and who is in the table');
select ok(not pg_temp.is_listed('cleo@opine.example'), 'nobody else is');
select ok(not pg_temp.is_listed('da@opine.example'), 'a part of an e-mail is not');
select ok(not pg_temp.is_listed('Ada@Opine.Example'), 'nor one in another case: the service brings it into lower case');
select ok(pg_temp.is_listed('ben@opine.example', '{}'), 'either list may be empty');
select ok(not pg_temp.is_listed(null), 'no e-mail is on neither');

select * from finish();
