select plan(4);

create function pg_temp.knock_at(p_offset interval)
returns boolean
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return app.use_meter('knocks', 'door', 4, interval '1 minute') is null;
end
$$;

select pg_temp.knock_at('0') from generate_series(1, 4);
select ok(not pg_temp.knock_at('14.999999 seconds'), 'before a quarter of the window has passed, nothing is free');
select ok(pg_temp.knock_at('15 seconds'), 'then one is');
select ok(not pg_temp.knock_at('15 seconds'), 'and no second');
select ok(pg_temp.knock_at('30 seconds'), 'which comes a quarter later');

select * from finish();
