select plan(5);

select tests.person('maya', 1);
select tests.person('jonas', 1);

create function pg_temp.check(p_times integer default 1)
returns jsonb
language sql
return tests.error_of(format($$ select api.check_handle('{"username": "é"}') from generate_series(1, %s) $$, p_times));

select tests.act_as('maya');
select is(pg_temp.check(60), null, 'sixty look-ups pass at once');
select is(
  pg_temp.check(), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1}}', 'the next waits a second'
);
select tests.act_as('jonas');
select is(pg_temp.check(), null, 'others do not');
reset role;
select app.set_clock_offset('1 second');
select tests.act_as('maya');
select is(pg_temp.check(), null, 'then one more passes');
select is(pg_temp.check() ->> 'code', 'RATE_LIMITED', 'and no second');

select * from finish();
