begin;
select plan(13);
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

-- is_ready answers the logins of the gateway.
set local session authorization opine_gateway;
select ok(gateway.is_ready(), 'is_ready answers the login for requests');
set local session authorization opine_serializable;
select ok(gateway.is_ready(), 'is_ready answers the login for serializable requests');

rollback to empty;

-- live_sessions filters sessions that have ended.
select tests.person('maya'), tests.person('jonas');
select tests.session('maya'), tests.session('tablet', 'maya'), tests.session('jonas');
delete from app.sessions where id = tests.id('session of tablet');
select bag_eq(
  $$
    select gateway.live_sessions(array(
      select tests.id('session of ' || name) from unnest(array['maya', 'tablet', 'nobody']) as name
    ))
  $$,
  array[tests.id('session of maya')], 'live_sessions returns the given sessions that have not ended'
);

rollback to empty;

-- open_signals returns the signals of due notifications to sessions of their recipients.
select tests.elm();
select tests.session('maya'), tests.session('tablet', 'maya'), tests.session('jonas'), tests.session('lena');
select tests.hub('oak', 'lena');
select tests.notification(name, 'maya', p_actor => 'lena') from unnest(array['one', 'two', 'read']) as name;
select tests.notification('his', 'jonas', p_actor => 'lena');
select tests.notification('hidden', 'jonas', 'hub_role_changed', 'lena', 'oak');
update app.notifications set read_at = app.now() where id = tests.id('read');
create function pg_temp.signals(p_notifications text[], p_sessions text[])
returns table (session_id uuid, notification_id uuid, payload jsonb)
language sql
as $$
  select * from gateway.open_signals(
    tests.ids(variadic p_notifications), array(select tests.id('session of ' || name) from unnest(p_sessions) as name)
  )
$$;

select bag_eq(
  $$
    select session_id, notification_id
    from pg_temp.signals(array['one', 'read', 'his', 'hidden', 'none'], array['maya', 'tablet', 'jonas', 'nobody'])
  $$,
  $$
    values
      (tests.id('session of maya'), tests.id('one')), (tests.id('session of tablet'), tests.id('one')),
      (tests.id('session of jonas'), tests.id('his'))
  $$,
  'open_signals returns each given due notification to the given sessions of its recipient'
);
select is(
  payload,
  (select payload from app.due_notifications where id = tests.id('one'))
    || jsonb_build_object('inboxVersion', tests.inbox_version('maya')),
  'a signal holds the payload of the notification and the inbox version'
)
from pg_temp.signals(array['one'], array['maya']);
select is_empty($$ select from pg_temp.signals(array['one'], array['lena', 'jonas']) $$, 'sessions of other users get no signal');
select results_eq(
  $$ select notification_id from pg_temp.signals(array['one', 'two'], array['maya']) $$,
  $$ select id from unnest(tests.ids('one', 'two')) as id order by id $$, 'open_signals orders signals by notification id'
);
delete from app.sessions where id = tests.id('session of maya');
select bag_eq(
  $$ select session_id from pg_temp.signals(array['one'], array['maya', 'tablet']) $$, array[tests.id('session of tablet')],
  'an ended session gets no signal'
);

select * from finish();
rollback;
