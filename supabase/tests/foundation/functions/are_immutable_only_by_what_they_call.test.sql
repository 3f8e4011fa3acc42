select plan(3);

-- By their names, each of which stands for a function all of whose versions are less than immutable.
create temporary table immutables as
select p.oid, p.oid::regprocedure::text as signature, pg_get_functiondef(p.oid) as definition
from pg_proc as p
join pg_namespace as n on n.oid = p.pronamespace
where n.nspname in ('app', 'api', 'staff', 'gateway') and p.provolatile = 'i';

select is_empty(
  $$
    select i.signature, called.name
    from immutables as i
    cross join lateral regexp_matches(i.definition, '([a-z_]+)\s*\(', 'g') as match (names)
    join (
      select p.proname::text as name from pg_proc as p
      join pg_namespace as n on n.oid = p.pronamespace
      where n.nspname in ('pg_catalog', 'app', 'staff', 'gateway')
      group by p.proname
      having bool_and(p.provolatile <> 'i')
    ) as called on called.name = match.names[1]
  $$,
  'no immutable function calls one that is stable or volatile'
);
-- A time zone and the way to write a time are settings; date_bin by an origin reads neither.
select set_eq(
  $$ select signature from immutables where definition ~* 'timestamptz|timestamp with time zone|extract|[^'']::interval|list_entry|feed_place' $$,
  array['app.presence_of(timestamp with time zone)', 'app.meter_share(integer,interval)'],
  'no immutable function reads or writes times but those that need no setting'
);
select isnt_empty('select from immutables', 'there are such');

select * from finish();
