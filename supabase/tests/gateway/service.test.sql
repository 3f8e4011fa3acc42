begin;
select plan(14);
savepoint empty;

-- record_heartbeat: is what staleness counts from
set local session authorization opine_gateway;
select is(gateway.staleness(), 'infinity'::interval, 'where nobody ever beat, what is read may be of any age');
set local session authorization opine_worker;
select gateway.record_heartbeat();
set local session authorization opine_gateway;
select is(gateway.staleness(), '0'::interval, 'a beat is new');
reset session authorization;
update gateway.heartbeat set beaten_at = beaten_at - interval '7 seconds';
set local session authorization opine_gateway;
select is(gateway.staleness(), '7 seconds'::interval, 'and grows old');
set local session authorization opine_worker;
select gateway.record_heartbeat();
reset session authorization;
select is(count(*), 1::bigint, 'there is one, however often it beats') from gateway.heartbeat;

rollback to empty;

-- is_ready: answers the logins
set local session authorization opine_gateway;
select ok(gateway.is_ready(), 'the gateway''s login is answered');
set local session authorization opine_serializable;
select ok(gateway.is_ready(), 'and the serializable one');

rollback to empty;

-- live_sessions: are those that have not ended
select tests.person('maya'), tests.person('jonas');
select tests.session('maya'), tests.session('tablet', 'maya'), tests.session('jonas');
delete from app.sessions where id = tests.id('session of tablet');
select bag_eq(
  $$ select gateway.live_sessions(array(select tests.id('session of ' || name) from unnest(array['maya', 'tablet', 'nobody']) as name)) $$,
  array[tests.id('session of maya')], 'of those that are asked for'
);
select set_eq($$ select tests.who_may('select gateway.live_sessions(null)') $$, array['opine_gateway'], 'the gateway asks');

rollback to empty;

-- open_signals: are for sessions of the recipient
select tests.elm();
select tests.session('maya'), tests.session('tablet', 'maya'), tests.session('jonas'), tests.session('lena');
select tests.notification('one', 'maya', p_actor => 'lena'), tests.notification('two', 'maya', p_actor => 'lena'), tests.notification('read', 'maya', p_actor => 'lena');
select tests.notification('his', 'jonas', p_actor => 'lena'), tests.notification('hidden', 'jonas', 'hub_role_changed', 'lena', 'oak') from tests.hub('oak', 'lena');
update app.notifications set read_at = app.now() where id = tests.id('read');
create function pg_temp.hints(p_notifications text[], p_sessions text[])
returns table (session_id uuid, notification_id uuid, hint jsonb)
language sql
as $$
  select * from gateway.open_signals(tests.ids(variadic p_notifications), array(select tests.id('session of ' || s) from unnest(p_sessions) as s))
$$;

select bag_eq(
  $$ select session_id, notification_id from pg_temp.hints(array['one', 'read', 'his', 'hidden', 'none'], array['maya', 'tablet', 'jonas', 'nobody']) $$,
  $$
    values
      (tests.id('session of maya'), tests.id('one')), (tests.id('session of tablet'), tests.id('one')), (tests.id('session of jonas'), tests.id('his'))
  $$,
  'each of theirs that is asked for, of what is due'
);
select is(
  hint, (select payload from app.due_notifications where id = tests.id('one')) || jsonb_build_object('inboxVersion', tests.inbox_version('maya')), 'with the version of their inbox'
)
from pg_temp.hints(array['one'], array['maya']);
select is_empty($$ select from pg_temp.hints(array['one'], array['lena', 'jonas']) $$, 'nobody else''s');
select results_eq(
  $$ select notification_id from pg_temp.hints(array['one', 'two'], array['maya']) $$, $$ select id from unnest(tests.ids('one', 'two')) as id order by id $$, 'in their order'
);
delete from app.sessions where id = tests.id('session of maya');
select bag_eq($$ select session_id from pg_temp.hints(array['one'], array['maya', 'tablet']) $$, array[tests.id('session of tablet')], 'none that has ended');
select set_eq($$ select tests.who_may('select gateway.open_signals(null, null)') $$, array['opine_gateway'], 'the gateway asks');

select * from finish();
rollback;
