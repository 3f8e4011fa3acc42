select plan(7);

create function pg_temp.holds(p_attempt_count integer, p_rest interval)
returns boolean
language sql
as $$
  select min(rest) >= 0.75 * p_rest and max(rest) <= 1.25 * p_rest and min(rest) < 0.8 * p_rest and max(rest) > 1.2 * p_rest
  from (select app.soon(p_attempt_count) as rest from generate_series(1, 500)) as rests
$$;
select ok(pg_temp.holds(0, '2 seconds'), 'two seconds, or so');
select ok(pg_temp.holds(1, '6 seconds'), 'then three times as long');
select ok(pg_temp.holds(2, '18 seconds'), 'and again');
select ok(pg_temp.holds(5, '486 seconds'), 'and again');
select ok(pg_temp.holds(6, '15 minutes'), 'a quarter of an hour at most');
select ok(pg_temp.holds(1000000, '15 minutes'), 'however often it was tried');
select is_empty($$ select tests.who_may('select app.soon(1)') $$, 'no role asks');

select * from finish();
