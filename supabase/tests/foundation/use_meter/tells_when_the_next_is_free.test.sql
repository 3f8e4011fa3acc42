select plan(4);

create function pg_temp.knock_at(p_offset interval)
returns interval
language plpgsql
as $$
declare
  v_now timestamptz := app.set_clock_offset(p_offset);
begin
  return app.use_meter('knocks', 'door', 2, interval '1 minute') - v_now;
end
$$;

select pg_temp.knock_at('0');
select is(pg_temp.knock_at('10 seconds'), null, 'what passes is told nothing');
select is(pg_temp.knock_at('10 seconds'), interval '20 seconds', 'what does not is told to the microsecond');
select is(pg_temp.knock_at('29.999999 seconds'), interval '0.000001 seconds', 'as long as there is anything to wait');
select is(pg_temp.knock_at('30 seconds'), null, 'and who comes at that moment passes');

select * from finish();
