begin;
select plan(50);
savepoint empty;

-- due_notifications checks visibility, read state and Hub mutes at each read.
select tests.elm();
select tests.post('trams', 'amara', 'public_hub');
delete from app.events;
select
  tests.notification('post', 'jonas', 'hub_post_created', 'amara', 'elm', 'trams'),
  tests.notification('role', 'jonas', 'hub_role_changed', 'amara', 'elm');
select
  tests.notification('follow', 'jonas', p_actor => 'lena'),
  tests.notification('to maya', 'maya', 'hub_post_created', 'amara', 'elm', 'trams');

select bag_eq(
  $$ select tests.due_notifications_of('jonas') $$, tests.ids('post', 'role', 'follow'),
  'due_notifications lists every unread and visible notification'
);
update app.notifications set read_at = app.now() where id = tests.id('role');
select bag_eq(
  $$ select tests.due_notifications_of('jonas') $$, tests.ids('post', 'follow'),
  'due_notifications omits a read notification'
);
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id
from app.memberships
where user_id = tests.id('jonas');
select bag_eq(
  $$ select tests.due_notifications_of('jonas') $$, tests.ids('follow'),
  'due_notifications omits a post of a Hub that the recipient muted'
);
select bag_eq(
  $$ select tests.due_notifications_of('maya') $$, tests.ids('to maya'),
  'due_notifications ignores the mute of another member'
);
update app.notifications set read_at = null;
select bag_eq(
  $$ select tests.due_notifications_of('jonas') $$, tests.ids('role', 'follow'),
  'due_notifications lists a role change in a muted Hub'
);
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');
delete from app.hub_mutes;
insert into app.hub_mutes (hub_id, user_id)
select hub_id, user_id
from app.memberships
where hub_id = tests.id('oak') and user_id = tests.id('jonas');
select bag_eq(
  $$ select tests.due_notifications_of('jonas') $$, tests.ids('post', 'role', 'follow'),
  'due_notifications ignores the mute of another Hub'
);
select tests.block('lena', 'jonas');
delete from app.memberships where user_id = tests.id('jonas');
select is_empty(
  $$ select tests.due_notifications_of('jonas') $$,
  'due_notifications omits notifications hidden by a block or a left Hub'
);

rollback to empty;

-- The payload of due_notifications holds ids alone (docs/product.md N16).
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('trams repost', 'maya', 'trams', 'public_hub');
select tests.comment('hello', 'maya', 'trams');
select tests.invitation('invitation', 'elm', 'maya', 'lena');
select tests.join_request('request', 'elm', 'lena');
delete from app.events;
insert into app.events (id, type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id)
values (
  tests.id('event with every id'), 'post_reposted', tests.id('maya'), tests.id('lena'), tests.id('elm'),
  tests.id('trams repost'),
  tests.id('hello'), tests.id('invitation'), tests.id('request')
);
insert into app.notifications (id, event_id, recipient_id, audience, audience_id)
values (tests.id('to lena'), tests.id('event with every id'), tests.id('lena'), 'everybody', tests.id('lena'));
create function pg_temp.payload(p_name text)
returns jsonb
language sql
as $$ select payload from app.due_notifications where id = tests.id(p_name) $$;

select is(
  pg_temp.payload('to lena'),
  jsonb_build_object(
    'notificationId', tests.id('to lena'), 'type', 'post_reposted', 'recipientUserId', tests.id('lena'),
    'actorIsAnonymous', false, 'actorId', tests.id('maya'), 'postId', tests.id('trams repost'), 'sourcePostId',
    tests.id('trams'),
    'commentId', tests.id('hello'), 'hubId', tests.id('elm'), 'invitationId', tests.id('invitation'),
    'joinRequestId', tests.id('request')
  ),
  'the payload holds every id of the event'
);
select tests.notification('milestone', 'lena', 'post_vote_milestone', 'maya', p_post => 'trams');
select is(
  pg_temp.payload('milestone'),
  jsonb_build_object(
    'notificationId', tests.id('milestone'), 'type', 'post_vote_milestone', 'recipientUserId', tests.id('lena'),
    'actorIsAnonymous', true, 'postId', tests.id('trams')
  ),
  'the payload of a milestone has an anonymous actor and only ids that apply'
);
select tests.person('tom', 1);
select tests.notification('of an anonymous user', 'lena', p_actor => 'tom');
select is(
  pg_temp.payload('of an anonymous user'),
  jsonb_build_object(
    'notificationId', tests.id('of an anonymous user'), 'type', 'user_followed', 'recipientUserId', tests.id('lena'),
    'actorIsAnonymous', true
  ),
  'the payload omits an actor without a profile'
);

rollback to empty;

-- postpone_signal tries again later and makes a dead letter after ten attempts (docs/product.md N20).
select tests.person('maya');
select tests.notification('first', 'maya'), tests.notification('second', 'maya');
update app.outbox set attempt_count = 3 where notification_id = tests.id('first');
select app.postpone_signal(tests.id('first'), 'XX000');
select is(
  attempt_count, 4, 'postpone_signal counts the failed attempt'
)
from app.outbox where notification_id = tests.id('first');
select ok(
  due_at between app.now() + 0.75 * interval '54 seconds' and app.now() + 1.25 * interval '54 seconds',
  'postpone_signal waits about 54 seconds after the fourth attempt'
)
from app.outbox where notification_id = tests.id('first');
select results_eq(
  $$ select due_at, attempt_count from app.outbox where notification_id = tests.id('second') $$,
  'values (app.now(), 0)',
  'postpone_signal leaves other notifications unchanged'
);
update app.outbox set attempt_count = 8;
select app.postpone_signal(tests.id('first'), 'XX000');
select is_empty('select from app.dead_letters', 'postpone_signal makes no dead letter after nine attempts');
select app.postpone_signal(tests.id('first'), 'XX001');
select results_eq(
  'select notification_id, token_hash, attempt_count, failure, died_at from app.dead_letters',
  $$ values (tests.id('first'), null::bytea, 10, 'XX001', app.now()) $$,
  'postpone_signal makes a dead letter after ten attempts'
);
select results_eq(
  'select notification_id from app.outbox', tests.ids('second'), 'postpone_signal removes a dead letter from the outbox'
);
insert into app.outbox (notification_id, attempt_count) values (tests.id('first'), 11);
select app.postpone_signal(tests.id('first'), 'XX002');
select is(
  count(*), 1::bigint, 'postpone_signal makes no second dead letter of the same notification'
) from app.dead_letters;
delete from app.notifications;
update app.outbox set attempt_count = 9;
select app.postpone_signal(tests.id('second'), 'XX000');
select is_empty('select from app.dead_letters', 'postpone_signal makes no dead letter of a deleted notification');
select is_empty('select from app.outbox', 'postpone_signal removes a deleted notification from the outbox');

rollback to empty;

-- deliver_batch sends payloads to the private Realtime channel of each recipient.
select tests.person('maya'), tests.person('jonas');
select tests.session('maya');
select
  tests.notification('one', 'maya', p_actor => 'jonas'), tests.notification('two', 'maya', p_actor => 'jonas'),
  tests.notification('read', 'maya');
select tests.notification('later', 'maya'), tests.notification('to jonas', 'jonas', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read');
delete from realtime.messages;

create function pg_temp.publish(p_ids uuid[])
returns void
language sql
begin atomic
  select app.deliver_batch(array(select due from app.due_notifications as due where due.id = any (p_ids)));
end;

select pg_temp.publish(tests.ids('one', 'two', 'read', 'to jonas'));
select bag_eq(
  'select topic, extension, event, private, payload from realtime.messages',
  $$
    select 'user:' || due.recipient_id as topic, 'broadcast' as extension, 'notification' as event, true, due.payload
    from app.due_notifications as due where due.id = any (tests.ids('one', 'two', 'to jonas'))
  $$,
  'deliver_batch sends each given notification to the private channel of the recipient'
);

insert into app.events (id, type) select tests.id('event ' || n), 'user_followed' from generate_series(1, 250) as n;
insert into app.notifications (event_id, recipient_id, audience, audience_id)
select tests.id('event ' || n), tests.id('maya'), 'everybody', tests.id('maya') from generate_series(1, 250) as n;
select lives_ok(
  'select app.deliver_batch(array(select due from app.due_notifications as due))',
  'deliver_batch splits 250 signals into payloads that pg_notify accepts'
);
create temporary table plains (plain bytea);
create or replace function app.seal_signals(p_plain bytea)
returns text
language sql
as $$ insert into pg_temp.plains values (p_plain) returning 'sealed' $$;
select app.deliver_batch(array(select due from app.due_notifications as due));
-- An id of the payload comes first.
select bag_eq(
  'select substr(plain, 17 + 32 * n, 32) from plains cross join generate_series(0, 100) as n where length(plain) > '
  '16 + 32 * n',
  'select uuid_send(recipient_id) || uuid_send(id) from app.due_notifications',
  'deliver_batch publishes each of 250 signals once'
);

rollback to empty;

-- deliver_outbox gives the caller as many notifications with devices as the caller has room for.
select tests.person('maya'), tests.person('jonas');
select tests.device_token('of maya', 'maya');
select tests.notification(name, 'maya') from unnest(array['a', 'b', 'c', 'read']) as name;
select tests.notification('stream alone', 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read');
update app.outbox set is_queued = true where notification_id = tests.id('stream alone');
create function pg_temp.publish(p_room integer)
returns setof uuid
language sql
as $$
  select (message.value -> 'payload' ->> 'notificationId')::uuid
  from jsonb_array_elements(
    (app.deliver_outbox('00000000-0000-0000-0000-000000000000', 10, p_room)).messages::jsonb
  ) as message
$$;

select is(
  count(*), 2::bigint, 'deliver_outbox returns two messages to a caller with room for two'
) from pg_temp.publish(2);
select results_eq(
  'select cardinality(notification_ids), lapses_at from app.push_leases',
  $$ values (2, app.now() + app.push_lease()) $$,
  'deliver_outbox leases both notifications to the caller'
);
select is_empty('select from app.outbox', 'deliver_outbox removes published notifications from the outbox');
select bag_eq(
  'select notification_id, attempt_count from app.pushes',
  $$
    select id, 0
    from unnest(tests.ids('a', 'b', 'c')) as id
    where id <> all (select unnest(l.notification_ids) from app.push_leases as l)
  $$,
  'deliver_outbox queues pushes beyond the room, and none for a notification with queued pushes'
);
select tests.notification('to jonas', 'jonas');
select is_empty('select pg_temp.publish(9)', 'deliver_outbox returns no message for a notification without a device');
select is(count(*), 1::bigint, 'deliver_outbox adds no lease without a message') from app.push_leases;

rollback to empty;

-- deliver_outbox pages through the due part of the outbox in the order of ids.
select tests.person('maya');
select tests.notification(name, 'maya') from unnest(array['a', 'b', 'c', 'd']) as name;
create temporary table places as
select id, row_number() over (order by id) as place
from unnest(tests.ids('a', 'b', 'c', 'd')) as id;
create function pg_temp.id_at(p_place integer)
returns uuid
language sql
as $$ select id from places where place = p_place $$;
create function pg_temp.queued()
returns setof bigint
language sql
as $$ select p.place from app.outbox as o join places as p on p.id = o.notification_id $$;
grant select on places to opine_worker;
-- The index returns rows in order even without an order by, and deliver_outbox prefers an index whatever the
-- settings are.
alter table app.outbox drop constraint outbox_pkey;

update app.outbox set due_at = app.now() + interval '1 microsecond' where notification_id = pg_temp.id_at(1);
set local session authorization opine_worker;
select is(
  (app.deliver_outbox('00000000-0000-0000-0000-000000000000', 2, 0)).last, pg_temp.id_at(3),
  'deliver_outbox serves the first two due notifications by id'
);
reset session authorization;
select bag_eq(
  'select pg_temp.queued()', array[1, 4]::bigint[],
  'deliver_outbox keeps notifications that are not due or beyond the limit'
);
update app.outbox set due_at = app.now();
insert into app.outbox (notification_id) values (pg_temp.id_at(3));
select is(
  (app.deliver_outbox(pg_temp.id_at(3), 1, 0)).last, pg_temp.id_at(4), 'deliver_outbox continues behind the given id'
);
select is(
  (app.deliver_outbox(pg_temp.id_at(4), 1, 0)).last, null, 'deliver_outbox returns null behind the last notification'
);
select bag_eq(
  'select pg_temp.queued()', array[1, 3]::bigint[],
  'deliver_outbox keeps notifications that arrived before the given id'
);
select is(
  (app.deliver_outbox('00000000-0000-0000-0000-000000000000', 3, 0)).last, null,
  'deliver_outbox returns null after fewer notifications than the limit'
);
select is_empty('select pg_temp.queued()', 'deliver_outbox empties the outbox in the end');
select set_eq(
  'select payload ->> ''notificationId'' from realtime.messages', 'select id::text from places',
  'deliver_outbox sends a signal for every notification'
);
select is(count(*), 5::bigint, 'deliver_outbox sends one signal per outbox row')
from realtime.messages where topic = 'user:' || tests.id('maya');

rollback to empty;

-- deliver_outbox falls back to realtime.send, whose table is Realtime's own.
select tests.person('maya'), tests.person('jonas');
select tests.notification('to maya', 'maya'), tests.notification('to jonas', 'jonas');
create table realtime.sent (payload jsonb, event text, topic text, private boolean);
grant insert on realtime.sent to postgres;
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void
language sql
as $$ insert into realtime.sent values (payload, event, topic, private) $$;
alter table realtime.messages add constraint no_partition check (false) not valid;
select app.deliver_outbox('00000000-0000-0000-0000-000000000000', 10, 0);
select bag_eq(
  $$ select payload ->> 'notificationId', event, topic, private from realtime.sent $$,
  $$
    select tests.id(name)::text, 'notification' as event, 'user:' || tests.id(person) as topic, true as private
    from (values ('to maya', 'maya'), ('to jonas', 'jonas')) as n (name, person)
  $$,
  'deliver_outbox sends each signal by realtime.send if the table of Realtime accepts no row'
);
select is_empty('select from app.outbox', 'deliver_outbox postpones nothing that realtime.send accepts');

rollback to empty;

-- deliver_outbox postpones a notification whose signal fails and publishes the others.
select tests.person('maya'), tests.person('jonas');
select tests.device_token('of jonas', 'jonas'), tests.device_token('of maya', 'maya');
select
  tests.notification('to maya', 'maya'), tests.notification('to jonas', 'jonas'),
  tests.notification('also to jonas', 'jonas');
delete from realtime.messages;
create function pg_temp.fail()
returns trigger
language plpgsql
as $$ begin raise exception using errcode = 'PX001', message = 'Realtime refuses the message'; end $$;
create trigger fail before insert on realtime.messages
for each row when (new.topic like '%' || md5('maya')::uuid::text) execute function pg_temp.fail();

select is(
  (app.deliver_outbox('00000000-0000-0000-0000-000000000000', 10, 0)).last, null,
  'deliver_outbox raises no error if one signal fails'
);
select bag_eq(
  'select payload ->> ''notificationId'' from realtime.messages',
  $$ select unnest(tests.ids('to jonas', 'also to jonas'))::text $$,
  'deliver_outbox sends the other signals if one fails'
);
select bag_eq(
  'select notification_id from app.pushes', tests.ids('to maya', 'to jonas', 'also to jonas'),
  'deliver_outbox queues every push if one signal fails'
);
delete from app.pushes;
select results_eq(
  'select notification_id, attempt_count from app.outbox', $$ values (tests.id('to maya'), 1) $$,
  'deliver_outbox keeps a failed signal in the outbox'
);
update app.outbox set attempt_count = 9, due_at = app.now();
select app.deliver_outbox('00000000-0000-0000-0000-000000000000', 10, 0);
select is_empty('select from app.pushes', 'deliver_outbox queues no second push when a failed signal is tried again');
select results_eq(
  'select notification_id, failure from app.dead_letters', $$ values (tests.id('to maya'), 'PX001') $$,
  'deliver_outbox makes a dead letter of a signal that failed ten times'
);

rollback to empty;

-- deliver_outbox serves the last two seconds of the outbox if no id is given.
select tests.person('maya');
select tests.notification(name, 'maya') from unnest(array['early', 'late']) as name;
update app.notifications set id = app.first_id_within('10 seconds') where id = tests.id('early');
update app.outbox set notification_id = app.first_id_within('10 seconds') where notification_id = tests.id('early');
update app.notifications set id = app.uuid_v7() where id = tests.id('late');
update app.outbox
set notification_id = (select max(id::text)::uuid from app.notifications where id <> tests.id('early'))
where notification_id = tests.id('late');

select is((app.deliver_outbox(null, 9, 0)).last, null, 'deliver_outbox accepts null for the given id');
select is(count(*), 1::bigint, 'deliver_outbox keeps a notification of ten seconds ago if no id is given')
from app.outbox as o where o.notification_id < app.first_id_within('2 seconds');
select is(count(*), 0::bigint, 'deliver_outbox serves a notification of the last two seconds if no id is given')
from app.outbox as o where o.notification_id > app.first_id_within('2 seconds');

rollback to empty;

-- stream_notifications returns the state of the inbox at the start of a stream.
select tests.person('lena', 1), tests.person('jonas');
select tests.notification('to lena', 'lena'), tests.notification('read', 'lena'),
  tests.notification('to jonas', 'jonas');
update app.notifications set read_at = app.now() where id = tests.id('read');
select tests.authenticate_as('lena');
create temporary table answers as select api.stream_notifications('{}') as answer;
reset role;
select is(
  answer, jsonb_build_object('unreadCount', 1, 'inboxVersion', tests.inbox_version('lena')),
  'stream_notifications returns unread count and inbox version of an anonymous user'
) from answers;
delete from app.sessions;
set local role authenticated;
select throws_ok(
  $$ select api.stream_notifications('{}') $$, 'PT401', 'UNAUTHORIZED', 'stream_notifications refuses an ended session'
);

select * from finish();
rollback;
