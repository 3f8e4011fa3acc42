begin;
select plan(15);
savepoint empty;

-- staleness is the age of the last heartbeat.
set local session authorization opine_gateway;
select is(gateway.staleness(), 'infinity'::interval, 'staleness is infinite before the first heartbeat');
set local session authorization opine_worker;
select gateway.record_heartbeat();
set local session authorization opine_gateway;
select is(gateway.staleness(), '0'::interval, 'staleness is zero at a heartbeat');
reset session authorization;
update gateway.heartbeat set recorded_at = recorded_at - interval '7 seconds';
set local session authorization opine_gateway;
select is(gateway.staleness(), '7 seconds'::interval, 'staleness grows with the age of the heartbeat');
set local session authorization opine_worker;
select gateway.record_heartbeat();
set local session authorization opine_gateway;
select is(gateway.staleness(), '0'::interval, 'staleness is zero again at a second heartbeat');
reset session authorization;
select is(count(*), 1::bigint, 'a second heartbeat replaces the first') from gateway.heartbeat;

rollback to empty;

-- is_behind says whether a replica is too stale to answer.
set local session authorization opine_gateway;
select ok(gateway.is_behind('1 year'), 'a replica without a heartbeat is too far behind to answer');
reset session authorization;
insert into gateway.heartbeat (recorded_at) values (now());
create function pg_temp.is_behind(p_age interval)
returns boolean
language plpgsql
as $$
begin
  update gateway.heartbeat set recorded_at = now() - p_age;
  return gateway.is_behind('3 seconds');
end
$$;
select is(pg_temp.is_behind(age), expected, title)
from (
  values
    (interval '0', false, 'a replica with a heartbeat of now may answer'),
    ('2.999999 seconds', false, 'a replica whose heartbeat is just younger than the limit may answer'),
    ('3 seconds', false, 'a replica whose heartbeat is as old as the limit may answer'),
    ('3.000001 seconds', true, 'a replica whose heartbeat is just older than the limit is too far behind to answer')
) as c (age, expected, title);

rollback to empty;

-- applied returns the transactions that this server shows.
create function pg_temp.applied(p_position xid8)
returns boolean
language plpgsql
as $$
begin
  set local session authorization opine_gateway;
  return exists (select from gateway.applied(array[p_position], '0'));
end
$$;
select ok(not pg_temp.applied(pg_current_xact_id()), 'a transaction in progress has not been applied');
reset session authorization;
select ok(
  not pg_temp.applied((pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8),
  'a transaction to come has not been applied'
);
reset session authorization;
select ok(pg_temp.applied((xmin::text::bigint)::text::xid8), 'a committed transaction has been applied')
from pg_class where oid = 'app.users'::regclass;
reset session authorization;
-- Postgres has forgotten how it ended.
select ok(pg_temp.applied('3'), 'a transaction that is long over has been applied');
reset session authorization;

rollback to empty;

-- call_replica answers on replicas alone. Tests of replicas cover its answers.
set local session authorization opine_worker;
select gateway.record_heartbeat();
set local session authorization opine_gateway;
select throws_ok(
  $$ select gateway.call_replica('get_home_feed', '{}', null, '{}', '1 hour', null, null) $$,
  'PT503', 'SERVICE_UNAVAILABLE', 'a server that is no replica answers no reads of replicas'
);

select * from finish();
rollback;
