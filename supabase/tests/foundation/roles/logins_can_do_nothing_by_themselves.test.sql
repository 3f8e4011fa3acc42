select plan(2);

select is_empty(
  $$
    select rolname from pg_roles
    where rolname ~ '^opine_'
      and (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication or rolinherit)
  $$,
  'no role of the service is privileged, and none inherits what it may become'
);
select is_empty(
  $$
    select c.relname from pg_class as c
    join pg_roles as r on r.oid = c.relowner
    where r.rolname ~ '^opine_'
    union all
    select p.proname from pg_proc as p
    join pg_roles as r on r.oid = p.proowner
    where r.rolname ~ '^opine_'
  $$,
  'no role of the service owns anything'
);

select * from finish();
