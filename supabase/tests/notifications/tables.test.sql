begin;
select plan(26);
savepoint empty;

-- dead_letters holds one row per notification and device, and one for the stream.
select tests.person('maya');
select tests.notification('to maya', 'maya');
select is(
  tests.violation_of(format(
    'insert into app.dead_letters (notification_id, token_hash, attempt_count, failure) values (%L, %L, 10, %L)',
    tests.id('to maya'), token_hash, failure
  )),
  expected, title
)
from (
  values
    (null::bytea, 'XX000', null::text, 'a notification may have a dead letter of the stream'),
    (
      null, 'XX001', 'dead_letters_notification_id_token_hash_key',
      'a notification has one dead letter of the stream at most'
    ),
    (
      tests.hash('one'), repeat('x', 200), null,
      'a notification may have a dead letter of a device, with 200 characters of failure'
    ),
    (
      tests.hash('one'), 'quota', 'dead_letters_notification_id_token_hash_key',
      'a notification has one dead letter per device at most'
    ),
    (
      tests.hash('two'), repeat('x', 201), 'dead_letters_failure_length',
      'the failure of a dead letter has at most 200 characters'
    ),
    (tests.hash('two'), '', 'dead_letters_failure_length', 'the failure of a dead letter is not empty')
) as c (token_hash, failure, expected, title);

rollback to empty;

-- Policies of device_tokens show users their own tokens.
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('jonas');
select tests.register_device_token('of jonas');
select tests.authenticate_as('maya');
select tests.register_device_token('of maya');
select results_eq(
  'select token_hash from app.device_tokens', array[tests.hash('of maya')], 'a user sees the own device tokens alone'
);
delete from app.device_tokens;
reset role;
select results_eq(
  'select token_hash from app.device_tokens', array[tests.hash('of jonas')],
  'a user deletes the own device tokens alone'
);

rollback to empty;

-- Constraints of device_tokens limit hash, sealed token and platform (docs/product.md N21).
select tests.person('maya');
select tests.device_token('of maya', 'maya');
select is(tests.violation_of(statement), expected, title)
from (
  values
    (
      $$ update app.device_tokens set token_hash = 'a token' $$, 'device_tokens_token_hash_is_sha256',
      'the hash of a device token is a SHA-256'
    ),
    (
      $$ insert into app.device_tokens select * from app.device_tokens $$, 'device_tokens_pkey',
      'a device token has one owner'
    ),
    (
      $$ update app.device_tokens set sealed_token = 'a token' $$, 'device_tokens_sealed_token_length',
      'a sealed token of seven bytes is too short'
    ),
    (
      $$ update app.device_tokens set sealed_token = convert_to(repeat('x', 20001), 'UTF8') $$,
      'device_tokens_sealed_token_length', 'a sealed token of more than 20,000 bytes is too long'
    )
) as c (statement, expected, title);
select throws_ok(
  $$ update app.device_tokens set platform = 'web' $$, '22P02', null,
  'a device token has no platform but android and ios'
);

rollback to empty;

-- Constraints of events require the counts of milestones.
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(
  tests.violation_of(format(
    'insert into app.events (type, subject_id, post_id, milestone_total, milestone_count) values (%L, %L, %L, %L, %L)',
    type, tests.id('maya'), tests.id('trams'), total, own_count
  )),
  expected, title
)
from (
  values
    (
      'post_vote_milestone', 100, null::integer, 'events_milestones_are_counted',
      'a milestone event has a total and a count'
    ),
    ('user_followed', 100, 100, 'events_milestones_are_counted', 'an event of another type has no total and no count'),
    ('post_vote_milestone', 600, 600, null, 'an author may have a milestone event for a total'),
    (
      'post_vote_milestone', 600, 600, 'events_milestone_key', 'an author has one milestone event for a total and count'
    ),
    ('post_vote_milestone', 600, 500, null, 'an author who voted may have another milestone event as a voter')
) as c (type, total, own_count, expected, title);

rollback to empty;

-- inbox_counts holds one folded row per audience.
select is(
  tests.violation_of(format(
    $$
      insert into app.inbox_counts (user_id, audience, audience_id, unread_count, change_count, is_folded)
      select tests.id('maya'), 'everybody', tests.id('maya'), 0, 1, %L from generate_series(1, 2)
    $$,
    is_folded
  )),
  expected, title
)
from (
  values
    (true, 'inbox_counts_folded_key', 'an audience has one folded row of inbox counts at most'),
    (false, null, 'an audience may have several unfolded rows of inbox counts')
) as c (is_folded, expected, title);

rollback to empty;

-- notifications, outbox, pushes and fan_outs hold one row per recipient, notification, device or batch.
select tests.person('maya'), tests.person('jonas');
select tests.notification('to maya', 'maya');
insert into app.fan_outs (event_id) select id from app.events;
insert into app.pushes (notification_id, token_hash)
values (tests.id('to maya'), tests.hash('one')), (tests.id('to maya'), tests.hash('two'));
select bag_eq(
  'select due_at, attempt_count from app.pushes', 'values (app.now(), 0), (app.now(), 0)',
  'a new push is due at once, without an attempt'
);
select is(tests.violation_of(statement), expected, title)
from (
  values
    (
      $$
        insert into app.notifications (event_id, recipient_id, audience, audience_id)
        select event_id, recipient_id, audience, audience_id from app.notifications
      $$,
      'notifications_event_id_recipient_id_key', 'a recipient has one notification per event at most'
    ),
    (
      $$
        insert into app.notifications (event_id, recipient_id, audience, audience_id)
        select event_id, tests.id('jonas'), audience, tests.id('jonas') from app.notifications
      $$,
      null, 'an event may have notifications of several recipients'
    ),
    (
      'insert into app.outbox (notification_id) select notification_id from app.outbox', 'outbox_pkey',
      'a notification has one outbox row at most'
    ),
    (
      'insert into app.pushes select * from app.pushes', 'pushes_pkey', 'a notification has one push per device at most'
    ),
    (
      'insert into app.fan_outs (event_id) select event_id from app.fan_outs', 'fan_outs_pkey',
      'two batches of an event begin with different users'
    )
) as c (statement, expected, title);

select * from finish();
rollback;
