select plan(3);

create function pg_temp.knock()
returns jsonb
language sql
return tests.error_of($$ select app.require_meter('knocks', 'door', 2, interval '5 minutes') $$);

select is(pg_temp.knock(), null, 'what is free passes');
select pg_temp.knock();
select is(
  pg_temp.knock(), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 150}}', 'what is not is told how long to wait'
);
select app.set_clock_offset('150 seconds');
select is(pg_temp.knock(), null, 'and passes then');

select * from finish();
