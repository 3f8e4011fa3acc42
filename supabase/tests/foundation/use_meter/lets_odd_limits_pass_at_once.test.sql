select plan(1);

-- Their share of the window is no whole number of microseconds.
create function pg_temp.uses_at_once(p_limit integer)
returns bigint
language sql
return (
  select count(*) from generate_series(1, p_limit + 1)
  where app.use_meter('knocks', p_limit::text, p_limit, interval '1 minute') is null
);

select is_empty(
  'select n from generate_series(1, 100) as n where pg_temp.uses_at_once(n) <> n', 'whatever the limit, all of it is there at once'
);

select * from finish();
