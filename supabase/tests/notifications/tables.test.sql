begin;
select plan(73);
savepoint empty;

-- dead_letters: are kept for staff
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.dead_letters', 'insert into app.dead_letters default values', 'update app.dead_letters set failure = failure', 'delete from app.dead_letters']) as verb;
select tests.person('maya');
select tests.notification('hers', 'maya');
create function pg_temp.violation(p_token_hash bytea, p_failure text)
returns text
language sql
as $$
  select tests.violation_of(format(
    'insert into app.dead_letters (notification_id, token_hash, attempt_count, failure) values (%L, %L, 10, %L)', tests.id('hers'), p_token_hash, p_failure
  ))
$$;
select is(pg_temp.violation(null, 'XX000'), null, 'of the stream');
select is(pg_temp.violation(null, 'XX001'), 'dead_letters_notification_id_token_hash_key', 'one');
select is(pg_temp.violation(tests.hash('one'), repeat('x', 200)), null, 'of a device');
select is(pg_temp.violation(tests.hash('one'), 'quota'), 'dead_letters_notification_id_token_hash_key', 'one');
select is(pg_temp.violation(tests.hash('two'), repeat('x', 201)), 'dead_letters_failure_length', 'a failure is a code');
select is(pg_temp.violation(tests.hash('two'), ''), 'dead_letters_failure_length', 'and is one');
delete from app.notifications;
select is_empty('select from app.dead_letters', 'they go with their notification');

rollback to empty;

-- device_tokens: are their owners to remove
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array[
  'select sealed_token from app.device_tokens',
  'insert into app.device_tokens default values',
  'update app.device_tokens set user_id = user_id'
]) as verb;
select set_eq(
  $$ select tests.who_may('delete from app.device_tokens') $$, array['authenticated'], 'signed-in people remove device tokens'
);

select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('jonas');
select tests.register_device('his');
select tests.authenticate_as('maya');
select tests.register_device('hers');
select results_eq('select token_hash from app.device_tokens', array[tests.hash('hers')], 'each sees their own');
delete from app.device_tokens;
reset role;
select results_eq('select token_hash from app.device_tokens', array[tests.hash('his')], 'and removes no other');

rollback to empty;

-- device_tokens: go with their session
select tests.person('maya', 3);
select tests.session('maya');
select tests.device_token('hers', 'maya');
select tests.person('jonas', 3);
select tests.session('jonas');
select tests.device_token('his', 'jonas');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
values (tests.hash('without one'), tests.id('maya'), 'ios', tests.sealed('without one'));

select tests.refresh('token of maya', 'successor');
select app.set_clock_offset('60 seconds');
select isnt_empty($$ select from app.device_tokens where token_hash = tests.hash('hers') $$, 'a refresh leaves the device token');
select tests.refresh('token of maya', 'successor');
select set_eq(
  'select token_hash from app.device_tokens', array[tests.hash('his'), tests.hash('without one')],
  'a session that a stolen token ends takes it along'
);
select app.set_clock_offset('60 days');
select app.prune_identity();
select set_eq('select token_hash from app.device_tokens', array[tests.hash('without one')], 'and so does one that expires');

rollback to empty;

-- device_tokens: hold to their rules
select tests.person('maya');
select tests.device_token('hers', 'maya');
select is(
  tests.violation_of($$ update app.device_tokens set token_hash = 'a token' $$), 'device_tokens_token_hash_is_sha256',
  'a token is known by its SHA-256 alone'
);
select is(
  tests.violation_of($$ insert into app.device_tokens select * from app.device_tokens $$), 'device_tokens_pkey', 'and is of one person'
);
select is(
  tests.violation_of($$ update app.device_tokens set sealed_token = 'a token' $$), 'device_tokens_sealed_token_length',
  'what is kept is sealed'
);
select is(
  tests.violation_of($$ update app.device_tokens set sealed_token = convert_to(repeat('x', 20001), 'UTF8') $$),
  'device_tokens_sealed_token_length', 'and no more than a token can be'
);
select throws_ok($$ update app.device_tokens set platform = 'web' $$, '22P02', null, 'there are two platforms');

rollback to empty;

-- events: are nobodys business
select tests.elm();
select app.emit('user_followed', tests.id('maya'), tests.id('jonas'));
select set_eq(
  'select verb from unnest(array[''select type from app.events'', ''insert into app.events (type) values (''''user_followed'''')'',
    ''update app.events set type = type'', ''delete from app.events'', ''select app.emit(''''user_followed'''', null)'']) as verb
    where exists (select from tests.who_may(verb))',
  '{}'::text[], 'no role reads, writes, changes or removes one, or says that something happened'
);

rollback to empty;

-- events: count milestones
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
create function pg_temp.violation(p_type app.event_type, p_total integer, p_count integer)
returns text
language sql
return tests.violation_of(format(
  'insert into app.events (type, subject_id, post_id, milestone_total, milestone_count) values (%L, %L, %L, %L, %L)',
  p_type, tests.id('maya'), tests.id('trams'), p_total, p_count
));

select is(pg_temp.violation('post_vote_milestone', 100, null), 'events_milestones_are_counted', 'a milestone says of how many votes');
select is(pg_temp.violation('user_followed', 100, 100), 'events_milestones_are_counted', 'and nothing else does');
select is(pg_temp.violation('post_vote_milestone', 600, 600), null, 'a total is a milestone of the author');
select is(pg_temp.violation('post_vote_milestone', 600, 600), 'events_milestone_key', 'the same milestone is stored once');
select is(pg_temp.violation('post_vote_milestone', 600, 500), null, 'the author who voted has another one as a voter');

rollback to empty;

-- events: go with what they are about
select tests.elm();
select tests.post('trams', 'jonas');
select tests.invitation('invitation', 'elm', 'jonas', 'lena');
select tests.join_request('request', 'elm', 'lena');
select tests.hub('ash', 'amara');
select tests.comment('hello', 'jonas', 'trams');
delete from app.events;
select tests.person(name) from unnest(array['ben', 'tom']) as name;
select app.emit('post_commented', null, p_comment_id => tests.id('hello')), app.emit('user_followed', tests.id('ben')), app.emit('user_followed', null, tests.id('tom'));
select app.emit('hub_post_created', null, p_post_id => tests.id('trams')), app.emit('hub_invite_received', null, p_invitation_id => tests.id('invitation'));
select app.emit('hub_join_request_created', null, p_join_request_id => tests.id('request')), app.emit('hub_member_joined', null, p_hub_id => tests.id('ash'));

create function pg_temp.left()
returns bigint
language sql
as $$ select count(*) from app.events $$;

select is(pg_temp.left(), 7::bigint, 'seven');
delete from app.comments;
select is(pg_temp.left(), 6::bigint, 'a comment');
delete from app.users where id = tests.id('ben');
select is(pg_temp.left(), 5::bigint, 'who did it');
delete from app.users where id = tests.id('tom');
select is(pg_temp.left(), 4::bigint, 'whom it happened to');
delete from app.posts;
select is(pg_temp.left(), 3::bigint, 'a post');
delete from app.hub_invitations;
select is(pg_temp.left(), 2::bigint, 'an invitation');
delete from app.join_requests;
select is(pg_temp.left(), 1::bigint, 'a request');
delete from app.hubs where id = tests.id('ash');
select is(pg_temp.left(), 0::bigint, 'a Hub');

rollback to empty;

-- fan_outs: are nobodys business
select tests.person('lena');
insert into app.events select (tests.event('followed_user_posted', 'lena')).*;
insert into app.fan_outs (event_id) select id from app.events;
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.fan_outs', 'insert into app.fan_outs default values', 'update app.fan_outs set turn_count = 1', 'delete from app.fan_outs']) as verb;
select is(tests.violation_of('insert into app.fan_outs (event_id) select event_id from app.fan_outs'), 'fan_outs_pkey', 'an event is told of by one job');
delete from app.events;
select is_empty('select from app.fan_outs', 'which goes with it');

rollback to empty;

-- inbox_counts: are one row a scope once folded
select is(
  tests.violation_of($$
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count, is_folded)
    select tests.id('maya'), 'everybody', tests.id('maya'), 0, 1, true from generate_series(1, 2)
  $$),
  'inbox_counts_folded_key', 'one that is folded'
);
select is(
  tests.violation_of($$
    insert into app.inbox_counts (user_id, audience, scope_id, unread_count, change_count)
    select tests.id('maya'), 'everybody', tests.id('maya'), 0, 1 from generate_series(1, 2)
  $$),
  null, 'and as many as changes that are not'
);
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.inbox_counts', 'insert into app.inbox_counts default values', 'update app.inbox_counts set unread_count = unread_count', 'delete from app.inbox_counts']) as verb;

rollback to empty;

-- notifications: are reached through operations alone
select tests.person('maya');
select tests.notification('hers', 'maya');
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.notifications', 'insert into app.notifications default values', 'update app.notifications set read_at = read_at', 'delete from app.notifications']) as verb;

rollback to empty;

-- notifications: are told once
select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya');
select is(
  tests.violation_of('insert into app.notifications (event_id, recipient_id, audience, scope_id) select event_id, recipient_id, audience, scope_id from app.notifications'),
  'notifications_event_id_recipient_id_key', 'nobody is told of the same event twice'
);
select is(
  tests.violation_of($$ insert into app.notifications (event_id, recipient_id, audience, scope_id) select event_id, tests.id('jonas'), audience, tests.id('jonas') from app.notifications $$),
  null, 'others are told of it'
);

rollback to empty;

-- notifications: go with what they are about
select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('hello', 'maya', 'trams');
delete from app.events;
select app.emit('post_commented', tests.id('maya'), p_post_id => tests.id('trams'), p_comment_id => tests.id('hello'));
select app.emit('user_followed', tests.id('maya'), tests.id('lena')), app.emit('hub_role_changed', tests.id('amara'), tests.id('jonas'), tests.id('elm'));

select bag_eq('select tests.recipients()', array['lena', 'lena', 'jonas'], 'three were told');
delete from app.comments;
select bag_eq($$ select tests.told('lena') $$, array['user_followed by maya'], 'a comment that is gone takes along that somebody was told of it');
delete from app.hubs where id = tests.id('elm');
select bag_eq('select tests.recipients()', array['lena'], 'and so does a Hub');
select is(tests.unread('lena'), 1, 'badges say so');
delete from app.users where id = tests.id('lena');
select is_empty('select from app.notifications', 'nobody is left of whom nothing is');

rollback to empty;

-- outbox: is the workers
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.outbox', 'insert into app.outbox default values', 'update app.outbox set due_at = due_at', 'delete from app.outbox']) as verb;
select tests.person('maya');
select tests.notification('hers', 'maya');
select is(tests.violation_of('insert into app.outbox (notification_id) select notification_id from app.outbox'), 'outbox_pkey', 'a notification lies in it once');

rollback to empty;

-- pushes: are the workers
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.pushes', 'insert into app.pushes default values', 'update app.pushes set due_at = due_at', 'delete from app.pushes']) as verb;
insert into app.pushes (notification_id, token_hash) values (tests.id('hers'), tests.hash('one')), (tests.id('hers'), tests.hash('two'));
select is(tests.violation_of('insert into app.pushes select * from app.pushes'), 'pushes_pkey', 'one a notification and device');
select bag_eq('select due_at, attempt_count from app.pushes', 'values (app.now(), 0), (app.now(), 0)', 'due at once');

select * from finish();
rollback;
