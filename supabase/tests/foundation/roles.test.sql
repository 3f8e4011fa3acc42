begin;
select plan(17);

select bag_eq(
  $$
    select format('%s becomes %s', member::regrole, roleid::regrole)
    from pg_auth_members
    where member::regrole::text ~ '^opine_' and set_option and not inherit_option and not admin_option
  $$,
  array[
    'opine_gateway becomes anon',
    'opine_gateway becomes authenticated',
    'opine_gateway becomes opine_service',
    'opine_gateway becomes staff_admin',
    'opine_gateway becomes staff_moderator',
    'opine_gateway becomes staff_support',
    'opine_serializable becomes anon',
    'opine_serializable becomes authenticated'
  ],
  'the gateway logins may set the roles of callers, the worker none'
);
select is_empty(
  $$
    select member::regrole from pg_auth_members
    where member::regrole::text ~ '^opine_' and (inherit_option or admin_option or not set_option)
  $$,
  'a login of the service inherits and administers no role'
);
select is_empty(
  $$
    select member::regrole from pg_auth_members
    where roleid::regrole::text ~ '^(opine|staff)_'
      and member::regrole::text not in ('postgres', 'opine_gateway', 'staff_support', 'staff_moderator', 'staff_admin')
  $$,
  'no other login, such as the Data API''s, is a member of our roles'
);

select ok(
  not rolcanlogin, 'no client can log in as ' || rolname
) from pg_roles where rolname in ('opine_service', 'opine_staff');
select ok(setting = any (rolconfig), format('%s starts its sessions with %s', rolname, setting))
from (
  values
    ('opine_gateway', 'statement_timeout=10s'),
    ('opine_serializable', 'statement_timeout=10s'),
    ('opine_worker', 'statement_timeout=60s'),
    ('opine_gateway', 'lock_timeout=5s'),
    ('opine_serializable', 'lock_timeout=500ms'),
    ('opine_worker', 'lock_timeout=15s'),
    ('opine_serializable', 'default_transaction_isolation=serializable'),
    ('opine_gateway', 'jit=off'),
    ('opine_serializable', 'jit=off'),
    ('opine_worker', 'jit=off')
) as expected (login, setting)
join pg_roles on rolname = login;

select is_empty(
  $$
    select rolname from pg_roles
    where rolname ~ '^opine_'
      and (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication or rolinherit)
  $$,
  'no role of the service is privileged or inherits other roles'
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
  'no role of the service owns a table or function'
);

select * from finish();
rollback;
