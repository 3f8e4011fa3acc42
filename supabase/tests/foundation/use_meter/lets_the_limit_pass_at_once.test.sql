select plan(3);

create function pg_temp.uses_at_once(p_limit integer, p_tries integer)
returns bigint
language sql
return (
  select count(*) from generate_series(1, p_tries) where app.use_meter('knocks', p_limit::text, p_limit, interval '1 hour') is null
);

select is(pg_temp.uses_at_once(1, 3), 1::bigint, 'a limit of one lets one pass');
select is(pg_temp.uses_at_once(5, 7), 5::bigint, 'a limit of five lets five pass');
select is(pg_temp.uses_at_once(60, 70), 60::bigint, 'a limit of sixty lets sixty pass');

select * from finish();
