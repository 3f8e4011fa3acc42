select plan(3);

create function pg_temp.uses_at(p_offset interval)
returns bigint
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  return (select count(*) from generate_series(1, 10) where app.use_meter('knocks', 'door', 4, interval '1 minute') is null);
end
$$;

select is(pg_temp.uses_at('0'), 4::bigint, 'the limit passes');
select is(pg_temp.uses_at('1 minute'), 4::bigint, 'a window later all of it is free again');
select is(pg_temp.uses_at('1 day'), 4::bigint, 'and after a day of silence no more than that');

select * from finish();
