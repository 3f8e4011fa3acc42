begin;
select plan(95);
savepoint empty;

-- contact_snapshots: are their owners alone
select tests.person('maya', 3);
select tests.upload('maya');
select tests.person('jonas', 3);

select set_eq($$ select tests.who_may('select from app.contact_snapshots') $$, array['authenticated'], 'signed-in people alone read snapshots');
select is_empty($$ select tests.who_may('delete from app.contact_snapshots') $$, 'nobody deletes one');
select tests.authenticate_as('maya');
select results_eq('select user_id from app.contact_snapshots', array[tests.id('maya')], 'one sees one''s own');
select throws_ok('update app.contact_snapshots set ' || change, '42501', null, 'and does not say of it: ' || change)
from unnest(array['upload_id = app.uuid_v7()', 'created_at = app.now()']) as change;
select tests.authenticate_as('jonas');
select is_empty('select from app.contact_snapshots', 'nobody else does');
select throws_ok(
  $$ insert into app.contact_snapshots (user_id, permission) values (tests.id('ann'), 'granted') $$,
  '42501', 'new row violates row-level security policy for table "contact_snapshots"', 'nobody announces the contacts of somebody else'
);
update app.contact_snapshots set stored_at = app.now();
reset role;
select is(stored_at, null, 'nor stores them') from app.contact_snapshots;

rollback to empty;

-- contact_snapshots: hold to their rules
select tests.person('maya', 3);
select tests.upload('maya');
select tests.person('jonas', 3);

create function pg_temp.change(p_change text)
returns text
language sql
return tests.violation_of('update app.contact_snapshots set ' || p_change);

select is(pg_temp.change($$ permission = 'denied' $$), 'contact_snapshots_permission_is_known', 'who may not read contacts has none to sync');
select is(pg_temp.change($$ permission = 'limited' $$), null, 'a part of them is enough');
select is(
  tests.violation_of($$
    insert into app.contact_snapshots (user_id, upload_id, permission) values (tests.id('jonas'), tests.id('upload of maya'), 'granted')
  $$),
  'contact_snapshots_upload_id_key', 'an upload is of one person'
);
select is(
  tests.violation_of($$ insert into app.contact_snapshots (user_id, permission) values (tests.id('maya'), 'granted') $$),
  'contact_snapshots_pkey', 'and a person has one'
);

rollback to empty;

-- contacts: are their owners alone
select tests.person('maya', 3);
select tests.upload('maya');
select tests.authenticate_as('maya');
select tests.store_contacts('maya', '+12025550199');
reset role;
select tests.person('jonas', 4);
select tests.upload('jonas');

select set_eq($$ select tests.who_may('select from app.contacts') $$, array['authenticated'], 'signed-in people alone read contacts');
select is_empty($$ select tests.who_may('update app.contacts set name = name') $$, 'nobody changes one');
select is_empty($$ select tests.who_may('delete from app.contacts') $$, 'nobody deletes one');
select tests.authenticate_as('maya');
select results_eq('select user_id from app.contacts', array[tests.id('maya')], 'one sees one''s own');
select tests.authenticate_as('jonas');
select is_empty('select from app.contacts', 'and nobody else''s');
select throws_ok(
  $$ insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id('maya'), 9, 'Ann', '{}') $$,
  '42501', 'new row violates row-level security policy for table "contacts"', 'nobody adds to those of somebody else'
);
select tests.authenticate_as_guest();
select throws_ok('select from app.contacts', '42501', null, 'a guest sees none');

rollback to empty;

-- contacts: have phone numbers in e164
select tests.person('maya', 3);
select tests.upload('maya');

create function pg_temp.violation(p_phones text[])
returns text
language plpgsql
as $$
begin
  delete from app.contacts;
  return tests.violation_of(format(
    'insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id(%L), 1, %L, %L)', 'maya', 'Ann', p_phones
  ));
end
$$;

select is(pg_temp.violation(phones), 'contacts_phone_numbers_are_e164', 'no number: ' || phones::text)
from (
  values
    (array['2025550101']),
    (array['+0025550101']),
    (array['+1 202 555 0101']),
    (array['+123456']),
    (array['+1234567890123456']),
    (array['+12025550101', 'home']),
    (array['home', '+12025550101']),
    (array[E'+12025550101\n']),
    (array['']),
    (array['+12025550101', '']),
    (array['+12025550101,+12025550102'])
) as refused (phones);
select isnt(pg_temp.violation(array[null]), null, 'nothing at all is no number either');
select is(pg_temp.violation(array['+12025550101', '+491234567', '+123456789012345']), null, 'numbers with their country are');

rollback to empty;

-- contacts: hold to their rules
select tests.person('maya', 3);
select tests.upload('maya');

create function pg_temp.keep(p_name text, p_phones text[] default '{}', p_thumbnail_size integer default 0, p_after integer default 1)
returns text
language sql
return tests.violation_of(format(
  'insert into app.contacts (user_id, place, name, phone_numbers, thumbnail) values (tests.id(%L), %L, %L, %L, %L)',
  'maya', p_after, p_name, p_phones, convert_to(repeat('x', p_thumbnail_size), 'UTF8')
));

select is(pg_temp.keep(repeat('é', 201)), 'contacts_name_length', 'a name has 200 characters at most');
select is(pg_temp.keep(repeat('é', 200)), null, 'characters, not bytes');
select is(pg_temp.keep(''), 'contacts_pkey', 'each contact has a place of its own');
select is(pg_temp.keep('', p_after => 2), null, 'a name may be empty');
select is(
  pg_temp.keep('Ann', array_fill('+12025550101'::text, array[51]), p_after => 3), 'contacts_phone_numbers_are_few',
  'a contact has 50 numbers at most'
);
select is(pg_temp.keep('Ann', array_fill('+12025550101'::text, array[50]), p_after => 3), null, 'and may have as many');
select is(pg_temp.keep('Ann', p_thumbnail_size => 8193, p_after => 4), 'contacts_thumbnail_is_small', 'a thumbnail of more than 8 KiB is refused');
select is(pg_temp.keep('Ann', p_thumbnail_size => 8192, p_after => 4), null, 'a thumbnail of 8 KiB is kept');
select is(pg_temp.keep('Ann', p_after => 0), 'contacts_place_is_within_limit', 'places begin at one');
select is(pg_temp.keep('Ann', p_after => 5001), 'contacts_place_is_within_limit', 'and there are 5,000');
delete from app.contact_snapshots;
select is_empty('select from app.contacts', 'contacts go with their snapshot');

rollback to empty;

-- account_deletions: show no more than who left
select tests.person('maya', 3);
select app.end_user(tests.id('maya'));

select set_eq(
  $$ select tests.who_may('select user_id, departed_at from app.account_deletions') $$, array['anon', 'authenticated'],
  'policies ask who left, and walks through feeds since when'
);
select is_empty($$ select tests.who_may('select merged_into_id from app.account_deletions') $$, 'nobody sees whom they became');
select is_empty($$ select tests.who_may('select due_at from app.account_deletions') $$, 'nor how far that is');
select is_empty($$ select tests.who_may('insert into app.account_deletions (user_id) values (tests.id(''maya''))') $$, 'nobody makes anybody leave');
select is_empty($$ select tests.who_may('update app.account_deletions set due_at = app.now()') $$, 'nor hurries it');
select is_empty($$ select tests.who_may('delete from app.account_deletions') $$, 'nor brings anybody back');

rollback to empty;

-- otp_codes: are hashes
select tests.request_code('maya', '1234');
select is(
  tests.violation_of($$ update app.otp_codes set phone_hash = '+12025550101' $$), 'otp_codes_phone_hash_is_sha256',
  'a phone is stored as its hash'
);
select is(
  tests.violation_of($$ update app.otp_codes set code_hash = '1234' $$), 'otp_codes_code_hash_is_sha256',
  'and so is a code'
);
select is(
  tests.violation_of('update app.otp_codes set wrong_try_count = 4'), 'otp_codes_tries_are_bounded', 'no code has a fourth try'
);

rollback to empty;

-- refresh_tokens: are hashes
select tests.person('maya');
select tests.session('maya');
select is(
  tests.violation_of($$ update app.refresh_tokens set token_hash = 'a token' $$), 'refresh_tokens_hash_is_sha256',
  'a token is stored as its SHA-256 alone'
);
delete from app.sessions;
select is_empty('select from app.refresh_tokens', 'tokens go with their session');

rollback to empty;

-- sessions: are their owners alone
select tests.person('maya');
select tests.session('maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.request_code('maya', '1234');

select tests.authenticate_as('maya');
select results_eq('select id from app.sessions', array[tests.id('session of maya')], 'one sees one''s own');
select throws_ok($$ update app.sessions set last_used_at = now() $$, '42501', null, 'changes none');
select throws_ok('select from app.' || hidden, '42501', null, 'and does not see ' || hidden)
from unnest(array['refresh_tokens', 'otp_codes']) as hidden;
delete from app.sessions;
select tests.authenticate_as_guest();
select throws_ok('select from app.' || hidden, '42501', null, 'nor does a guest see ' || hidden)
from unnest(array['sessions', 'refresh_tokens', 'otp_codes']) as hidden;
select throws_ok('delete from app.sessions', '42501', null, 'nor end any');
reset role;
select results_eq('select id from app.sessions', array[tests.id('session of jonas')], 'who ends theirs ends nobody else''s');

rollback to empty;

-- sessions: know their device
select tests.person('maya');
select app.open_session(tests.id('maya'), tests.sign_in('token') || '{"deviceKind": "web"}');
select is(device_kind, 'web', 'a session knows on what sort of device it began') from app.sessions;
select is_empty(
  $$
    select from unnest(array['ios', 'android', 'web', 'other']) as kind
    where tests.violation_of(format('update app.sessions set device_kind = %L', kind)) is not null
  $$,
  'there are four sorts'
);
select is(
  tests.violation_of($$ update app.sessions set device_kind = 'Mozilla/5.0' $$), 'sessions_device_kind_is_known',
  'and nothing else of the device is kept'
);

rollback to empty;

-- users: are made by nobody
select tests.person('maya');
select tests.authenticate_as('maya');
select throws_ok('insert into app.users default values', '42501', null, 'a member makes no account');
select tests.authenticate_as_guest();
select throws_ok('insert into app.users default values', '42501', null, 'nor does a guest');

rollback to empty;

-- users: are read by themselves alone
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.authenticate_as('maya');
select results_eq('select id from app.users', array[tests.id('maya')], 'of all accounts one sees one''s own');
select throws_ok('select device_hash from app.users', '42501', null, 'and not even one''s own device');
select tests.authenticate_as_guest();
select throws_ok('select id from app.users', '42501', null, 'a guest sees no account');

rollback to empty;

-- users: change only their own steps
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.authenticate_as('maya');

select lives_ok(
  $$ update app.users set terms_version = '1', terms_accepted_at = app.now(), media_completed_at = app.now(),
      contacts_synced_at = app.now() $$,
  'the steps of onboarding that need no proof are the owner''s to take'
);
select throws_ok(format('update app.users set %s', change), '42501', null, 'nobody says of themselves: ' || change)
from unnest(array[
  'phone = ''+12025550101'', phone_verified_at = app.now()',
  'device_hash = null',
  'ended_at = null',
  'created_at = app.now()',
  'id = app.uuid_v7()'
]) as change;
select throws_ok('delete from app.users', '42501', null, 'nobody deletes an account');
reset role;
select results_eq(
  $$ select id from app.users where terms_version = '1' $$, array[tests.id('maya')], 'other accounts stay as they are'
);

rollback to empty;

-- users: have their phone to themselves
select tests.person('maya', 3);
insert into app.users (device_hash) values (tests.hash('phone of a guest'));
select is(
  tests.violation_of($$ insert into app.users (phone, phone_verified_at) values (tests.phone_of('maya'), app.now()) $$),
  'users_phone_key', 'a phone is of one account'
);
select is(
  tests.violation_of($$ insert into app.users (device_hash) values (tests.hash('phone of a guest')) $$),
  'users_device_hash_key', 'and so is an install'
);

rollback to empty;

-- users: hold nothing once they ended
select tests.person('maya', 1);

select is(
  tests.violation_of('update app.users set ended_at = app.now(), ' || change), 'users_ended_hold_nothing', 'an ended account has no ' || what
)
from (
  values
    ('phone', $$ phone = '+12025550101', phone_verified_at = app.now() $$),
    ('accepted terms', $$ terms_version = '1', terms_accepted_at = app.now() $$),
    ('finished media step', $$ media_completed_at = app.now() $$),
    ('synced contacts', $$ contacts_synced_at = app.now() $$)
) as held (what, change);
select is(tests.violation_of('update app.users set ended_at = app.now()'), null, 'an id and a time are left');

rollback to empty;

-- users: hold to their rules
select tests.person('maya', 1);

create function pg_temp.change(p_change text)
returns text
language sql
return tests.violation_of('update app.users set ' || p_change);

select is(pg_temp.change($$ phone = '02025550101', phone_verified_at = app.now() $$), 'users_phone_is_e164', 'a phone number is E.164');
select is(pg_temp.change($$ phone = '+12025550101' $$), 'users_phone_is_verified', 'a phone is verified');
select is(pg_temp.change($$ phone_verified_at = app.now() $$), 'users_phone_is_verified', 'and only a phone is');
select is(
  pg_temp.change($$ phone = '+12025550101', phone_verified_at = app.now(), device_hash = '\x01' $$),
  'users_device_is_of_phoneless', 'a device opens no account that has a phone'
);
select is(pg_temp.change($$ ended_at = app.now(), device_hash = '\x01' $$), 'users_ended_hold_nothing', 'an ended account holds no device');
select is(
  pg_temp.change($$ ended_at = app.now(), phone = '+12025550101', phone_verified_at = app.now() $$),
  'users_ended_hold_nothing', 'and no phone'
);
select is(pg_temp.change($$ terms_version = '1' $$), 'users_terms_are_dated', 'terms are accepted at some time');
select is(
  pg_temp.change($$ terms_version = repeat('1', 41), terms_accepted_at = app.now() $$),
  'users_terms_version_length', 'a version of the terms is short'
);
select is(
  pg_temp.change($$ phone = '+12025550101', phone_verified_at = app.now(), terms_version = '1', terms_accepted_at = app.now() $$),
  null, 'all of it together is an account'
);

select * from finish();
rollback;
