select plan(2);

create function pg_temp.knock_at(p_offset interval)
returns boolean
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return app.use_meter('knocks', 'door', 2, interval '1 minute') is null;
end
$$;

select pg_temp.knock_at('0');
select pg_temp.knock_at('30 seconds');
-- One that began before and waited for the row comes with an earlier time.
select ok(pg_temp.knock_at('29 seconds'), 'what is free at the latest time is free');
select ok(not pg_temp.knock_at('29 seconds'), 'and no more');

select * from finish();
