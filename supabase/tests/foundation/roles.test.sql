begin;
select plan(14);
savepoint empty;

-- roles: become only callers
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
  'the gateway becomes callers, the worker nobody'
);
select is_empty(
  $$
    select member::regrole from pg_auth_members
    where member::regrole::text ~ '^opine_' and (inherit_option or admin_option or not set_option)
  $$,
  'becoming a role takes a step of its own'
);
select is_empty(
  $$
    select member::regrole from pg_auth_members
    where roleid::regrole::text ~ '^(opine|staff)_' and member::regrole::text not in ('postgres', 'opine_gateway', 'staff_support', 'staff_moderator', 'staff_admin')
  $$,
  'no other login becomes a role of the service, the Data API''s least of all'
);

rollback to empty;

-- roles: log in for a short time
select ok(not rolcanlogin, 'nobody logs in as ' || rolname) from pg_roles where rolname in ('opine_service', 'opine_staff');
select ok('statement_timeout=10s' = any (rolconfig), 'a request of ' || rolname || ' ends after ten seconds')
from pg_roles
where rolname in ('opine_gateway', 'opine_serializable');
select ok('statement_timeout=60s' = any (rolconfig), 'a task of the worker ends after a minute')
from pg_roles
where rolname = 'opine_worker';
select ok(setting = any (rolconfig), format('%s waits for a lock with %s', rolname, setting))
from (
  values ('opine_gateway', 'lock_timeout=5s'), ('opine_serializable', 'lock_timeout=500ms'), ('opine_worker', 'lock_timeout=15s')
) as wanted (login, setting)
join pg_roles on rolname = login;
select ok('default_transaction_isolation=serializable' = any (rolconfig), 'opine_serializable is serializable by default')
from pg_roles
where rolname = 'opine_serializable';

rollback to empty;

-- roles: logins can do nothing by themselves
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
rollback;
