begin;
select plan(6);
savepoint empty;

-- actor is the e-mail behind a request, or the login (docs/product.md S6, S21).
select set_config('request.jwt.claims', '{"email": "ada@opine.example"}', true);
set local session authorization opine_gateway;
set local role staff_support;
select is(staff.actor(), 'ada@opine.example', 'the actor of a request is the e-mail of its staff session');
reset role;
reset session authorization;
select tests.log_in_as('nina', 'staff_support');
select is(staff.actor(), 'nina', 'the actor of a login is the login, whatever its claims say');

rollback to empty;

-- Constraints keep the allow-list in lower case and staff sessions hashed.
select is(tests.violation_of(statement), violation, title)
from (
  values
    (
      $$ insert into staff.allowed_emails (email) values ('Ada@opine.example') $$, 'allowed_emails_email_is_lower_case',
      'the allow-list refuses an e-mail in capitals'
    ),
    (
      $$ insert into staff.allowed_emails (email) values ('ada@opine.example') $$, null,
      'the allow-list accepts a lower-case e-mail'
    ),
    (
      $$ insert into staff.allowed_emails (email) values ('ada@opine.example') $$, 'allowed_emails_pkey',
      'the allow-list has an e-mail only once'
    ),
    (
      $$
        insert into staff.sessions (token_hash, email, expires_at) values ('a cookie', 'ada@opine.example', app.now())
      $$,
      'sessions_token_hash_is_sha256', 'a staff session stores only the SHA-256 of its cookie'
    )
) as c (statement, violation, title);

select * from finish();
rollback;
