begin;
select plan(55);
savepoint empty;

-- due_notifications: are asked for anew
select tests.elm();
select tests.post('trams', 'amara', 'public_hub');
delete from app.events;
select tests.notification('posted', 'jonas', 'hub_post_created', 'amara', 'elm', 'trams'), tests.notification('role', 'jonas', 'hub_role_changed', 'amara', 'elm');
select tests.notification('followed', 'jonas', p_actor => 'lena'), tests.notification('to maya', 'maya', 'hub_post_created', 'amara', 'elm', 'trams');

select bag_eq($$ select tests.hears('jonas') $$, tests.ids('posted', 'role', 'followed'), 'what is unread and visible');
update app.notifications set read_at = app.now() where id = tests.id('role');
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('posted', 'followed'), 'not what was read');
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where user_id = tests.id('jonas');
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('followed'), 'nor of a Hub that was muted since');
select bag_eq($$ select tests.hears('maya') $$, tests.ids('to maya'), 'others have muted nothing');
update app.notifications set read_at = null;
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('role', 'followed'), 'but of what a mute leaves');
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');
delete from app.hub_mutes;
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where hub_id = tests.id('oak') and user_id = tests.id('jonas');
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('posted', 'role', 'followed'), 'a mute of another Hub is that Hub''s');
select tests.block('lena', 'jonas');
delete from app.memberships where user_id = tests.id('jonas');
select is_empty($$ select tests.hears('jonas') $$, 'nor what is hidden');

rollback to empty;

-- due_notifications: say ids alone
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('trams anew', 'maya', 'trams', 'public_hub');
select tests.comment('hello', 'maya', 'trams');
select tests.invitation('invitation', 'elm', 'maya', 'lena');
select tests.join_request('request', 'elm', 'lena');
delete from app.events;
insert into app.events (id, type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id)
values (
  tests.id('all at once'), 'post_reposted', tests.id('maya'), tests.id('lena'), tests.id('elm'), tests.id('trams anew'), tests.id('hello'),
  tests.id('invitation'), tests.id('request')
);
insert into app.notifications (id, event_id, recipient_id, audience, scope_id)
values (tests.id('to lena'), tests.id('all at once'), tests.id('lena'), 'everybody', tests.id('lena'));
create function pg_temp.payload(p_name text)
returns jsonb
language sql
as $$ select payload from app.due_notifications where id = tests.id(p_name) $$;

select is(
  pg_temp.payload('to lena'),
  jsonb_build_object(
    'notificationId', tests.id('to lena'), 'type', 'post_reposted', 'recipientUserId', tests.id('lena'), 'actorIsAnonymous', false,
    'actorId', tests.id('maya'), 'postId', tests.id('trams anew'), 'sourcePostId', tests.id('trams'), 'commentId', tests.id('hello'),
    'hubId', tests.id('elm'), 'invitationId', tests.id('invitation'), 'joinRequestId', tests.id('request')
  ),
  'what it is about'
);
select tests.notification('milestone', 'lena', 'post_vote_milestone', 'maya', p_post => 'trams');
select is(
  pg_temp.payload('milestone'),
  jsonb_build_object(
    'notificationId', tests.id('milestone'), 'type', 'post_vote_milestone', 'recipientUserId', tests.id('lena'), 'actorIsAnonymous', true,
    'postId', tests.id('trams')
  ),
  'and nothing else; votes are nobody''s'
);
select tests.person('tom', 1);
select tests.notification('of somebody anonymous', 'lena', p_actor => 'tom');
select is(
  pg_temp.payload('of somebody anonymous'),
  jsonb_build_object(
    'notificationId', tests.id('of somebody anonymous'), 'type', 'user_followed', 'recipientUserId', tests.id('lena'), 'actorIsAnonymous', true
  ),
  'nor is what somebody without a profile did theirs'
);

rollback to empty;

-- postpone_signal: tries again later
select tests.person('maya');
select tests.notification('hers', 'maya'), tests.notification('another', 'maya');
update app.outbox set attempt_count = 3 where notification_id = tests.id('hers');
select app.postpone_signal(tests.id('hers'), 'XX000');
select is(attempt_count, 4, 'it is counted') from app.outbox where notification_id = tests.id('hers');
select ok(due_at between app.now() + 0.75 * interval '54 seconds' and app.now() + 1.25 * interval '54 seconds', 'and rests the longer')
from app.outbox where notification_id = tests.id('hers');
select results_eq(
  $$ select due_at, attempt_count from app.outbox where notification_id = tests.id('another') $$, 'values (app.now(), 0)', 'others do not'
);
update app.outbox set attempt_count = 8;
select app.postpone_signal(tests.id('hers'), 'XX000');
select is_empty('select from app.dead_letters', 'nine times is not too often');
select app.postpone_signal(tests.id('hers'), 'XX001');
select results_eq(
  'select notification_id, token_hash, attempt_count, failure, died_at from app.dead_letters',
  $$ values (tests.id('hers'), null::bytea, 10, 'XX001', app.now()) $$, 'ten times is: staff has to look'
);
select results_eq('select notification_id from app.outbox', tests.ids('another'), 'and it is tried no more');
insert into app.outbox (notification_id, attempt_count) values (tests.id('hers'), 11);
select app.postpone_signal(tests.id('hers'), 'XX002');
select is(count(*), 1::bigint, 'nor told of twice') from app.dead_letters;
delete from app.notifications;
update app.outbox set attempt_count = 9;
select app.postpone_signal(tests.id('another'), 'XX000');
select is_empty('select from app.dead_letters', 'what is gone needs nobody');
select is_empty('select from app.outbox', 'and is forgotten');
select is_empty($$ select tests.who_may('select app.postpone_signal(null, null)') $$, 'no role postpones');

rollback to empty;

-- publish_batch: tells streams
select tests.person('maya'), tests.person('jonas');
select tests.session('maya');
select tests.notification('one', 'maya', p_actor => 'jonas'), tests.notification('two', 'maya', p_actor => 'jonas'), tests.notification('read', 'maya');
select tests.notification('later', 'maya'), tests.notification('to jonas', 'jonas', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read');
delete from realtime.messages;

create function pg_temp.publish(p_ids uuid[])
returns void
language sql
begin atomic
  select app.publish_batch(array(select due from app.due_notifications as due where due.id = any (p_ids)));
end;

select pg_temp.publish(tests.ids('one', 'two', 'read', 'to jonas'));
select bag_eq(
  'select topic, extension, event, private, payload from realtime.messages',
  $$
    select 'user:' || due.recipient_id as topic, 'broadcast' as extension, 'notification' as event, true, due.payload
    from app.due_notifications as due where due.id = any (tests.ids('one', 'two', 'to jonas'))
  $$,
  'each recipient''s own channel, of what is due'
);
select is_empty($$ select tests.who_may('select app.publish_batch(null)') $$, 'no role tells of what it likes');

rollback to empty;

-- publish_batch: tells streams in parts
select tests.person('maya');
insert into app.events (id, type) select tests.id('event ' || n), 'user_followed' from generate_series(1, 250) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select tests.id('event ' || n), tests.id('maya'), 'everybody', tests.id('maya') from generate_series(1, 250) as n;

select lives_ok(
  'select app.publish_batch(array(select due from app.due_notifications as due))', 'more than Postgres takes at once goes in parts'
);

rollback to empty;

-- publish_signals: gives devices to whoever asks
select tests.person('maya'), tests.person('jonas');
select tests.device_token('hers', 'maya');
select tests.notification(name, 'maya') from unnest(array['a', 'b', 'c', 'read']) as name;
select tests.notification('stream alone', 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read');
update app.outbox set is_queued = true where notification_id = tests.id('stream alone');
create function pg_temp.publish(p_room integer)
returns setof uuid
language sql
as $$
  select (message.value -> 'payload' ->> 'notificationId')::uuid
  from jsonb_array_elements((app.publish_signals('00000000-0000-0000-0000-000000000000', 10, p_room)).messages::jsonb) as message
$$;

select is(count(*), 2::bigint, 'as much as there is room for') from pg_temp.publish(2);
select is(count(*), 2::bigint, 'of which it is noted who has it') from app.outbox where is_told and due_at = app.now() + app.push_lease();
select is(count(*), 2::bigint, 'and nothing else lies there any more') from app.outbox;
select bag_eq(
  'select notification_id, attempt_count from app.pushes',
  $$ select id, 0 from unnest(tests.ids('a', 'b', 'c')) as id where id not in (select o.notification_id from app.outbox as o) $$,
  'others wait for whoever comes; a device that was told before is not told again'
);
delete from app.pushes;
select tests.notification('to jonas', 'jonas');
select is_empty('select pg_temp.publish(9)', 'nobody else is given what somebody has, or what is for no device');
delete from realtime.messages;
update app.outbox set due_at = app.now();
select is_empty('select pg_temp.publish(9)', 'nor where that worker has died');
select results_eq('select attempt_count, count(*) from app.pushes group by 1', $$ values (1, 2::bigint) $$, 'but then it waits, once tried');
select is_empty('select from app.outbox', 'and is in one place alone');
select is_empty('select from realtime.messages', 'the stream is not told again');

rollback to empty;

-- publish_signals: goes through the outbox
select tests.person('maya');
select tests.notification(name, 'maya') from unnest(array['a', 'b', 'c', 'd']) as name;
create temporary table places as select id, row_number() over (order by id) as place from unnest(tests.ids('a', 'b', 'c', 'd')) as id;
create function pg_temp.at(p_after integer)
returns uuid
language sql
as $$ select id from places where place = p_after $$;
create function pg_temp.waiting()
returns setof bigint
language sql
as $$ select p.place from app.outbox as o join places as p on p.id = o.notification_id $$;
grant select on places to opine_worker;
-- An index gives them in their order by itself.
set local enable_indexscan = off;
set local enable_bitmapscan = off;

update app.outbox set due_at = app.now() + interval '1 microsecond' where notification_id = pg_temp.at(1);
set local session authorization opine_worker;
select is((app.publish_signals('00000000-0000-0000-0000-000000000000', 2, 0)).last, pg_temp.at(3), 'the first two that are due, in their order');
reset session authorization;
select bag_eq('select pg_temp.waiting()', array[1, 4]::bigint[], 'others wait');
update app.outbox set due_at = app.now();
insert into app.outbox (notification_id) values (pg_temp.at(3));
select is((app.publish_signals(pg_temp.at(3), 1, 0)).last, pg_temp.at(4), 'then behind them');
select is((app.publish_signals(pg_temp.at(4), 1, 0)).last, null, 'until there are no more');
select bag_eq('select pg_temp.waiting()', array[1, 3]::bigint[], 'but what has come before them');
select is((app.publish_signals('00000000-0000-0000-0000-000000000000', 3, 0)).last, null, 'fewer than there may be are all');
select is_empty('select pg_temp.waiting()', 'and are told of');
select set_eq('select payload ->> ''notificationId'' from realtime.messages', 'select id::text from places', 'all of them');
select is(count(*), 5::bigint, 'each as often as it lay there') from realtime.messages where topic = 'user:' || tests.id('maya');
select set_eq($$ select tests.who_may('select app.publish_signals(null, 1, 1)') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- publish_signals: keeps back what cannot be told alone
select tests.person('maya'), tests.person('jonas');
select tests.device_token('his', 'jonas'), tests.device_token('hers', 'maya');
select tests.notification('hers', 'maya'), tests.notification('his', 'jonas'), tests.notification('also his', 'jonas');
delete from realtime.messages;
create function pg_temp.refuse()
returns trigger
language plpgsql
as $$ begin raise exception using errcode = 'PX001', message = 'not hers'; end $$;
create trigger refuse before insert on realtime.messages for each row when (new.topic like '%' || md5('maya')::uuid::text) execute function pg_temp.refuse();

select is((app.publish_signals('00000000-0000-0000-0000-000000000000', 10, 0)).last, null, 'nothing is raised');
select bag_eq('select payload ->> ''notificationId'' from realtime.messages', $$ select unnest(tests.ids('his', 'also his'))::text $$, 'others are told of');
select bag_eq('select notification_id from app.pushes', tests.ids('hers', 'his', 'also his'), 'and all devices');
delete from app.pushes;
select results_eq('select notification_id, attempt_count from app.outbox', $$ values (tests.id('hers'), 1) $$, 'it is tried again');
update app.outbox set attempt_count = 9, due_at = app.now();
select app.publish_signals('00000000-0000-0000-0000-000000000000', 10, 0);
select is_empty('select from app.pushes', 'her device is not told again');
select results_eq('select notification_id, failure from app.dead_letters', $$ values (tests.id('hers'), 'PX001') $$, 'until staff has to see why');

rollback to empty;

-- publish_signals: looks at what came lately
select tests.person('maya');
select tests.notification(name, 'maya') from unnest(array['early', 'late']) as name;
update app.notifications set id = app.first_id_within('10 seconds') where id = tests.id('early');
update app.outbox set notification_id = app.first_id_within('10 seconds') where notification_id = tests.id('early');
update app.notifications set id = app.uuid_v7() where id = tests.id('late');
update app.outbox set notification_id = (select max(id::text)::uuid from app.notifications where id <> tests.id('early')) where notification_id = tests.id('late');

select is((app.publish_signals(null, 9, 0)).last, null, 'a look at what came lately');
select is(count(*), 1::bigint, 'leaves alone what came before') from app.outbox as o where o.notification_id < app.first_id_within('2 seconds');
select is(count(*), 0::bigint, 'and nothing else') from app.outbox as o where o.notification_id > app.first_id_within('2 seconds');

rollback to empty;

-- stream_notifications: tells what a stream begins with
select tests.person('lena', 1), tests.person('jonas');
select tests.notification('hers', 'lena'), tests.notification('another', 'lena'), tests.notification('his', 'jonas');
update app.notifications set read_at = app.now() where id = tests.id('another');
select tests.authenticate_as('lena');
create temporary table answers as select api.stream_notifications('{}') as answer;
reset role;
select is(answer, jsonb_build_object('unreadCount', 1, 'inboxVersion', tests.inbox_version('lena')), 'the badge, and how new it is') from answers;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.stream_notifications('{}') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');
reset role;
select set_eq($$ select tests.who_may($s$ select api.stream_notifications('{}') $s$) $$, array['authenticated'], 'guests have no stream');

rollback to empty;

-- notify_streams: is of no role
select is_empty($$ select tests.who_may('select app.notify_streams(null)') $$, 'no role tells of what it likes');

select * from finish();
rollback;
