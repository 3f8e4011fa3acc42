select plan(5);

create function pg_temp.try(p_token text, p_address text)
returns jsonb
language sql
return tests.error_of(format('select tests.sign_in_as_staff(%L, null, %L)', p_token, p_address));

select is(pg_temp.try('a', 'office'), null, 'a refused try is answered');
select is_empty(
  $$ select from generate_series(2, 60) as n where pg_temp.try('b' || n, 'office') is not null $$, 'up to sixty an hour'
);
select is(
  pg_temp.try('c', 'office'), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}',
  'then the address waits for its share of the hour'
);
select is(pg_temp.try('d', 'home'), null, 'others do not');
select lives_ok(
  $$ select tests.sign_in_as_staff(n::text, tests.staff_identity('ada@opine.example')) from generate_series(1, 5) as n $$,
  'nor does what has no address to count by'
);

select * from finish();
