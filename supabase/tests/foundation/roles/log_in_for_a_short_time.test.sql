select plan(9);

select ok(not rolcanlogin, 'nobody logs in as ' || rolname) from pg_roles where rolname in ('opine_service', 'opine_staff');
select ok('statement_timeout=10s' = any (rolconfig), 'a request of ' || rolname || ' ends after ten seconds')
from pg_roles
where rolname in ('opine_gateway', 'opine_serializable');
select ok('statement_timeout=60s' = any (rolconfig), 'a duty of the worker ends after a minute')
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

select * from finish();
