begin;
select plan(36);
savepoint empty;

-- rate_limit_opens_at: looks without using
create function pg_temp.wait()
returns interval
language sql
return app.rate_limit_opens_at('knocks', 'door', 2, interval '1 minute') - app.now();

select is(pg_temp.wait(), null, 'where nothing was used, the next one passes now');
select app.consume_rate_limit('knocks', 'door', 2, interval '1 minute') from generate_series(1, 2);
select is(pg_temp.wait(), interval '30 seconds', 'where all is used, it passes after a share of the window');
select is(pg_temp.wait(), interval '30 seconds', 'and looking uses nothing');
select is(
  app.rate_limit_opens_at('knocks', 'door', null, interval '1 minute'), null, 'without a limit nothing is ever waited for'
);

rollback to empty;

-- prune_rate_limits: forgets empty meters
select app.consume_rate_limit('knocks', 'door', 60, interval '1 minute');
select app.consume_rate_limit('knocks', 'window', 60, interval '1 minute') from generate_series(1, 2);
select app.set_clock_offset('1 second');
set local session authorization opine_worker;
select app.prune_rate_limits();
reset session authorization;
select results_eq(
  'select subject from app.rate_limits', array['window'], 'a meter goes when time has emptied it, and not before'
);
select set_eq($$ select tests.who_may('select app.prune_rate_limits()') $$, array['opine_worker'], 'the worker sees to it alone');

rollback to empty;

-- rate_limits: are reached by no role
select is_empty($$ select tests.who_may('select from app.rate_limits') $$, 'no role sees how much of a limit anybody has used');
select is_empty($$ select tests.who_may('delete from app.rate_limits') $$, 'nor gives anybody a limit back');

rollback to empty;

-- require_rate_limit: raises rate limited
create function pg_temp.knock()
returns jsonb
language sql
return tests.error_of($$ select app.require_rate_limit('knocks', 'door', 2, interval '5 minutes') $$);

select is(pg_temp.knock(), null, 'what is free passes');
select pg_temp.knock();
select is(
  pg_temp.knock(), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 150}}',
  'what is not is told how long to wait'
);
select app.set_clock_offset('150 seconds');
select is(pg_temp.knock(), null, 'and passes then');

rollback to empty;

-- retry_after: counts whole seconds
select is(app.retry_after(app.now() + interval '1.2 seconds'), '{"retryAfterSeconds": 2}', 'seconds are rounded up');
select is(app.retry_after(app.now()), '{"retryAfterSeconds": 1}', 'at least one is waited');
select is(app.retry_after(app.now() - interval '1 hour'), '{"retryAfterSeconds": 1}', 'even where the time has come');

rollback to empty;

-- consume_rate_limit: counts a use that waited as of the latest
create function pg_temp.knock_at(p_offset interval)
returns boolean
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return app.consume_rate_limit('knocks', 'door', 2, interval '1 minute') is null;
end
$$;

select pg_temp.knock_at('0');
select pg_temp.knock_at('30 seconds');
-- One that began before and waited for the row comes with an earlier time.
select ok(pg_temp.knock_at('29 seconds'), 'what is free at the latest time is free');
select ok(not pg_temp.knock_at('29 seconds'), 'and no more');

rollback to empty;

-- consume_rate_limit: is whole again after the window
create function pg_temp.uses_at(p_offset interval)
returns bigint
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return (select count(*) from generate_series(1, 10) where app.consume_rate_limit('knocks', 'door', 4, interval '1 minute') is null);
end
$$;

select is(pg_temp.uses_at('0'), 4::bigint, 'the limit passes');
select is(pg_temp.uses_at('1 minute'), 4::bigint, 'a window later all of it is free again');
select is(pg_temp.uses_at('1 day'), 4::bigint, 'and after a day of silence no more than that');

rollback to empty;

-- consume_rate_limit: keeps subjects apart
create function pg_temp.knock(p_kind text, p_subject text)
returns boolean
language sql
return app.consume_rate_limit(p_kind, p_subject, 1, interval '1 minute') is null;

select pg_temp.knock('knocks', 'door');
select ok(not pg_temp.knock('knocks', 'door'), 'this limit is used');
select ok(pg_temp.knock('knocks', 'window'), 'another subject has a limit of its own');
select ok(pg_temp.knock('rings', 'door'), 'and so has the same subject for something else');

rollback to empty;

-- consume_rate_limit: lets odd limits pass at once
-- Their share of the window is no whole number of microseconds.
create function pg_temp.uses_at_once(p_limit integer)
returns bigint
language sql
return (
  select count(*) from generate_series(1, p_limit + 1)
  where app.consume_rate_limit('knocks', p_limit::text, p_limit, interval '1 minute') is null
);

select is_empty(
  'select n from generate_series(1, 100) as n where pg_temp.uses_at_once(n) <> n',
  'whatever the limit, all of it is there at once'
);

rollback to empty;

-- consume_rate_limit: lets the limit pass at once
create function pg_temp.uses_at_once(p_limit integer, p_tries integer)
returns bigint
language sql
return (
  select count(*) from generate_series(1, p_tries) where app.consume_rate_limit('knocks', p_limit::text, p_limit, interval '1 hour') is null
);

select is(pg_temp.uses_at_once(1, 3), 1::bigint, 'a limit of one lets one pass');
select is(pg_temp.uses_at_once(5, 7), 5::bigint, 'a limit of five lets five pass');
select is(pg_temp.uses_at_once(60, 70), 60::bigint, 'a limit of sixty lets sixty pass');

rollback to empty;

-- consume_rate_limit: tells when the next is free
create function pg_temp.knock_at(p_offset interval)
returns interval
language plpgsql
as $$
declare
  v_now timestamptz := app.set_clock_offset(p_offset);
begin
  return app.consume_rate_limit('knocks', 'door', 2, interval '1 minute') - v_now;
end
$$;

select pg_temp.knock_at('0');
select is(pg_temp.knock_at('10 seconds'), null, 'what passes is told nothing');
select is(pg_temp.knock_at('10 seconds'), interval '20 seconds', 'what does not is told to the microsecond');
select is(pg_temp.knock_at('29.999999 seconds'), interval '0.000001 seconds', 'as long as there is anything to wait');
select is(pg_temp.knock_at('30 seconds'), null, 'and who comes at that moment passes');

rollback to empty;

-- consume_rate_limit: then lets one pass each share
create function pg_temp.knock_at(p_offset interval)
returns boolean
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return app.consume_rate_limit('knocks', 'door', 4, interval '1 minute') is null;
end
$$;

select pg_temp.knock_at('0') from generate_series(1, 4);
select ok(not pg_temp.knock_at('14.999999 seconds'), 'before a quarter of the window has passed, nothing is free');
select ok(pg_temp.knock_at('15 seconds'), 'then one is');
select ok(not pg_temp.knock_at('15 seconds'), 'and no second');
select ok(pg_temp.knock_at('30 seconds'), 'which comes a quarter later');

rollback to empty;

-- consume_rate_limit: uses nothing where it refuses
select app.consume_rate_limit('knocks', 'door', 2, interval '1 minute') from generate_series(1, 2);
create temporary table meters as select empty_at from app.rate_limits;
select is(
  count(app.consume_rate_limit('knocks', 'door', 2, interval '1 minute'))::integer, 50, 'fifty are refused'
) from generate_series(1, 50);
select results_eq('select empty_at from app.rate_limits', 'select empty_at from meters', 'and nobody waits the longer for it');

select * from finish();
rollback;
