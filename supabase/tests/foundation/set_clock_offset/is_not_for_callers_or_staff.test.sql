select plan(2);

select is_empty(
  $$
    select rolname from pg_roles
    where not rolsuper and rolname <> 'postgres' and has_function_privilege(oid, 'app.set_clock_offset(interval)', 'execute')
  $$,
  'no role may shift the clock but a superuser and the owner of the schema'
);
select tests.act_as(null);
select throws_ok(
  $$ insert into app.clock (shift) values ('1 day') $$, '42501', null, 'nor can a caller write its table'
);

select * from finish();
