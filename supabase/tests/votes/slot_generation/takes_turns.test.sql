select plan(2);

create function pg_temp.generation_at(p_time text)
returns smallint
language plpgsql
as $$
begin
  perform app.set_clock_offset(('2026-01-01 ' || p_time || '+00')::timestamptz - now());
  return app.slot_generation();
end
$$;
select is(
  array(select pg_temp.generation_at(time) from unnest(array['00:00:00', '00:00:29.999', '00:00:30', '00:00:59.999', '00:01:00', '00:01:30']) with ordinality as listed (time, place) order by place),
  '{0,0,1,1,0,1}', 'another every half minute, of two'
);
select is_empty($$ select tests.who_may('select app.slot_generation()') $$, 'which no role asks about');

select * from finish();
