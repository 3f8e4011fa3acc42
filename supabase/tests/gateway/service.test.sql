begin;
select plan(18);
savepoint empty;

-- is_ready answers the login of the gateway.
set local session authorization opine_gateway;
select ok(gateway.is_ready(), 'is_ready answers the login for requests');

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
select is_empty(
  $$ select from pg_temp.signals(array['one'], array['lena', 'jonas']) $$, 'sessions of other users get no signal'
);
select results_eq(
  $$ select notification_id from pg_temp.signals(array['one', 'two'], array['maya']) $$,
  $$ select id from unnest(tests.ids('one', 'two')) as id order by id $$,
  'open_signals orders signals by notification id'
);
delete from app.sessions where id = tests.id('session of maya');
select bag_eq(
  $$ select session_id from pg_temp.signals(array['one'], array['maya', 'tablet']) $$,
  array[tests.id('session of tablet')],
  'an ended session gets no signal'
);

rollback to empty;

-- record_presence records a member once in five minutes.
select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now() - interval '4 minutes 59 seconds' where user_id = tests.id('maya');
update app.memberships set seen_at = app.now() - interval '5 minutes' where user_id = tests.id('amara');

create function pg_temp.recorded(p_user text)
returns bigint
language plpgsql
as $$
begin
  set local session authorization opine_gateway;
  perform gateway.record_presence(tests.id(p_user), tests.id('elm'));
  reset session authorization;
  return (select count(*) from app.memberships as m where m.seen_at = app.now());
end
$$;

select is(pg_temp.recorded(name), total::bigint, title)
from (values
  ('lena', 0, 'a non-member has no presence in a Hub'),
  ('maya', 0, 'a member''s presence is not recorded again within five minutes'),
  ('jonas', 1, 'a member''s first presence in a Hub is recorded'),
  ('amara', 2, 'a member''s presence is recorded again after five minutes')
) as c (name, total, title);
select is_empty(
  $$ select from app.memberships where hub_id = tests.id('oak') and seen_at is not null $$,
  'presence in one Hub is not recorded in another'
);

rollback to empty;

-- call names the Hub that its caller visited, at most every five minutes.
select tests.elm();
select tests.session('maya'), tests.session('jonas'), tests.session('amara');
update app.memberships set seen_at = app.now() - interval '4 minutes 59 seconds' where user_id = tests.id('maya');
create function pg_temp.visited(p_caller text, p_operation text, p_args jsonb)
returns uuid
language plpgsql
as $$
declare
  v_hub_id uuid;
begin
  set local session authorization opine_gateway;
  v_hub_id := (gateway.call('reader', p_operation, p_args, tests.claims(p_caller))).visited_hub;
  reset session authorization;
  return v_hub_id;
end
$$;
create function pg_temp.answer(p_caller text, p_operation text, p_args jsonb)
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  set local session authorization opine_gateway;
  v_answer := (gateway.call('reader', p_operation, p_args, tests.claims(p_caller))).answer;
  reset session authorization;
  perform set_config('opine.visited_hub', '', true);
  return v_answer;
end
$$;
select is(
  pg_temp.visited('maya', 'list_members', tests.hub_args('elm')), null, 'a visit is not named again within five minutes'
);
select is(
  pg_temp.visited('jonas', 'get_own_profile', '{}'), null, 'an operation outside Hubs names no Hub'
);
select is(
  pg_temp.visited('jonas', 'list_members', tests.hub_args('elm')), tests.id('elm'), 'a read in a Hub names the Hub'
);
select is_empty(
  $$ select from app.memberships where user_id = tests.id('jonas') and seen_at = app.now() $$,
  'a read in a Hub writes nothing'
);
select is(
  pg_temp.answer('jonas', 'get_hub', tests.hub_args('elm')) ->> 'activeUsers24h', '2',
  'a reader counts as active before that is recorded'
);
select is(
  pg_temp.answer('amara', 'list_my_hubs', '{}') #>> '{items,0,activeUsers24h}', '1',
  'a member who lists their Hubs does not count as active'
);

select * from finish();
rollback;
