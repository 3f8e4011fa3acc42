begin;
select plan(58);
savepoint empty;

-- Policies limit a caller to their own rows (docs/product.md O7).
select tests.person(name, 3), tests.session(name),
  tests.contact_upload(name) from unnest(array['maya', 'jonas']) as name;
select tests.authenticate_as('maya');
select tests.store_contacts('maya', '+12025550199');
select tests.authenticate_as('jonas');
select tests.store_contacts('jonas', '+12025550198');

select results_eq(
  format('select %I from app.%I', owner, name), array[tests.id('jonas')],
  format('a user reads only their own rows of app.%s', name)
)
from (
  values ('users', 'id'), ('sessions', 'user_id'), ('contact_snapshots', 'user_id'), ('contacts', 'user_id')
) as own (name, owner);
select throws_ok(
  statement, '42501', format('new row violates row-level security policy for table "%s"', name),
  format('a user cannot insert into app.%s for another user', name)
)
from (
  values
    (
      'contact_snapshots',
      $$ insert into app.contact_snapshots (user_id, permission) values (tests.id('ann'), 'granted') $$
    ),
    (
      'contacts',
      $$ insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id('maya'), 9, 'Ann', '{}') $$
    )
) as foreign_row (name, statement);
select lives_ok(
  $$ update app.users set terms_version = '1', terms_accepted_at = app.now(), media_completed_at = app.now(),
      contacts_synced_at = app.now() $$,
  'a user takes the onboarding steps that need no proof'
);
-- Without a where clause, only the policies keep these from the rows of others.
update app.contact_snapshots set stored_at = 'infinity';
delete from app.sessions;
reset role;
select results_eq(
  $$ select id from app.users where terms_version = '1' $$, array[tests.id('jonas')],
  'a user cannot update the account of another user'
);
select is(stored_at, app.now(), 'a user cannot update the contact snapshot of another user')
from app.contact_snapshots where user_id = tests.id('maya');
select results_eq(
  'select id from app.sessions', array[tests.id('session of maya')], 'a user cannot delete the sessions of another user'
);

rollback to empty;

-- Rows that break a constraint are rejected.
select tests.person('maya', 3);
select tests.session('maya');
select tests.contact_upload('maya');
select tests.request_code('maya', '1234');
select tests.person('jonas', 3);
insert into app.users (device_hash) values (tests.hash('install of a guest'));

-- docs/product.md I21
select is(tests.violation_of(statement), violation, title)
from (
  values
    (
      $$ update app.otp_codes set phone_hash = '+12025550101' $$, 'otp_codes_phone_hash_is_sha256',
      'a one-time code stores its phone as a hash'
    ),
    (
      $$ update app.otp_codes set code_hash = '1234' $$, 'otp_codes_code_hash_is_sha256',
      'a one-time code is stored as a hash'
    ),
    (
      'update app.otp_codes set wrong_try_count = 4', 'otp_codes_tries_are_bounded',
      'a one-time code has at most three tries'
    ),
    (
      $$ update app.refresh_tokens set token_hash = 'a token' $$, 'refresh_tokens_hash_is_sha256',
      'a refresh token is stored as a hash'
    ),
    (
      $$ update app.sessions set device_kind = 'Mozilla/5.0' $$, 'sessions_device_kind_is_known',
      'a session rejects an unknown device kind'
    ),
    (
      $$ insert into app.users (phone, phone_verified_at) values (tests.phone_of('maya'), app.now()) $$,
      'users_phone_key',
      'two accounts cannot share a phone'
    ),
    (
      $$ insert into app.users (device_hash) values (tests.hash('install of a guest')) $$, 'users_device_hash_key',
      'two accounts cannot share an install'
    ),
    (
      $$ update app.contact_snapshots set permission = 'denied' $$, 'contact_snapshots_permission_is_known',
      'a contact snapshot requires permission to read contacts'
    ),
    (
      $$
        insert into app.contact_snapshots (user_id, upload_id, permission)
        values (tests.id('jonas'), tests.id('upload of maya'), 'granted')
      $$,
      'contact_snapshots_upload_id_key', 'two contact snapshots cannot share an upload'
    ),
    (
      $$ insert into app.contact_snapshots (user_id, permission) values (tests.id('maya'), 'granted') $$,
      'contact_snapshots_pkey', 'a user has at most one contact snapshot'
    )
) as changes (statement, violation, title);
delete from app.sessions;
select is_empty('select from app.refresh_tokens', 'a deleted session takes its refresh tokens along');

rollback to empty;

-- Contacts hold phone numbers in E.164.
select tests.person('maya', 3);
select tests.contact_upload('maya');

create function pg_temp.violation(p_phones text[])
returns text
language plpgsql
as $$
begin
  delete from app.contacts;
  return tests.violation_of(format(
    'insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id(%L), 1, %L, %L)', 'maya', 'Ann',
    p_phones
  ));
end
$$;

select is(pg_temp.violation(phones), 'contacts_phone_numbers_are_e164', 'a contact rejects a phone number ' || flaw)
from (
  values
    (array['2025550101'], 'without a plus sign'),
    (array['+0025550101'], 'that begins with zero'),
    (array['+1 202 555 0101'], 'that holds spaces'),
    (array['+123456'], 'of six digits'),
    (array['+1234567890123456'], 'of sixteen digits'),
    (array['+12025550101', 'home'], 'that is a word, after a valid one'),
    (array['home', '+12025550101'], 'that is a word, before a valid one'),
    (array[E'+12025550101\n'], 'that ends with a line break'),
    (array[''], 'that is empty'),
    (array['+12025550101', ''], 'that is empty, after a valid one'),
    (array['+12025550101,+12025550102'], 'that holds two numbers'),
    (array[null], 'that is null')
) as refused (phones, flaw);
select is(
  pg_temp.violation(array['+12025550101', '+491234567', '+123456789012345']), null,
  'a contact accepts several phone numbers in E.164'
);

rollback to empty;

-- Contacts are limited in length and number (docs/product.md O7).
select tests.person('maya', 3);
select tests.contact_upload('maya');

create function pg_temp.violation(p_name text, p_phone_count integer, p_thumbnail_size integer, p_place integer)
returns text
language sql
return tests.violation_of(format(
  'insert into app.contacts (user_id, place, name, phone_numbers, thumbnail) values (tests.id(%L), %L, %L, %L, %L)',
  'maya', p_place, p_name, array_fill('+12025550101'::text, array[p_phone_count]),
  convert_to(repeat('x', p_thumbnail_size), 'UTF8')
));

select is(pg_temp.violation(name, phone_count, thumbnail_size, place), violation, title)
from (
  values
    (repeat('é', 201), 0, 0, 1, 'contacts_name_length', 'a contact rejects a name of 201 characters'),
    (repeat('é', 200), 0, 0, 1, null, 'a contact accepts a name of 200 multibyte characters'),
    ('', 0, 0, 1, 'contacts_pkey', 'two contacts cannot share a place in the list'),
    ('', 0, 0, 2, null, 'a contact accepts an empty name'),
    ('Ann', 51, 0, 3, 'contacts_phone_numbers_are_few', 'a contact rejects 51 phone numbers'),
    ('Ann', 50, 0, 3, null, 'a contact accepts 50 phone numbers'),
    ('Ann', 0, 8193, 4, 'contacts_thumbnail_is_small', 'a contact rejects a thumbnail above 8 KiB'),
    ('Ann', 0, 8192, 4, null, 'a contact accepts a thumbnail of 8 KiB'),
    ('Ann', 0, 0, 0, 'contacts_place_is_within_limit', 'a contact snapshot has no place 0'),
    ('Ann', 0, 0, 5001, 'contacts_place_is_within_limit', 'a contact snapshot has no place 5001')
) as kept (name, phone_count, thumbnail_size, place, violation, title);
delete from app.contact_snapshots;
select is_empty('select from app.contacts', 'a deleted contact snapshot takes its contacts along');

rollback to empty;

-- Accounts hold verified data, and nothing once they have ended.
select tests.person('maya', 1);

select is(tests.violation_of('update app.users set ' || change), violation, title)
from (
  values
    (
      $$ phone = '02025550101', phone_verified_at = app.now() $$, 'users_phone_is_e164',
      'an account rejects a phone that is not E.164'
    ),
    ($$ phone = '+12025550101' $$, 'users_phone_is_verified', 'an account rejects a phone without a verification time'),
    (
      'phone_verified_at = app.now()', 'users_phone_is_verified',
      'an account rejects a verification time without a phone'
    ),
    (
      $$ phone = '+12025550101', phone_verified_at = app.now(), device_hash = '\x01' $$, 'users_device_is_of_phoneless',
      'an account with a phone rejects a device'
    ),
    ($$ terms_version = '1' $$, 'users_terms_are_dated', 'an account rejects accepted terms without a time'),
    (
      $$ terms_version = repeat('1', 41), terms_accepted_at = app.now() $$, 'users_terms_version_length',
      'an account rejects a terms version of 41 characters'
    ),
    (
      $$ ended_at = app.now(), phone = '+12025550101', phone_verified_at = app.now() $$, 'users_ended_hold_nothing',
      'an ended account cannot hold a phone'
    ),
    (
      $$ ended_at = app.now(), device_hash = '\x01' $$, 'users_ended_hold_nothing',
      'an ended account cannot hold a device'
    ),
    (
      $$ ended_at = app.now(), terms_version = '1', terms_accepted_at = app.now() $$, 'users_ended_hold_nothing',
      'an ended account cannot hold accepted terms'
    ),
    (
      'ended_at = app.now(), media_completed_at = app.now()', 'users_ended_hold_nothing',
      'an ended account cannot hold the media step'
    ),
    (
      'ended_at = app.now(), contacts_synced_at = app.now()', 'users_ended_hold_nothing',
      'an ended account cannot hold the contacts step'
    ),
    (
      $$ phone = '+12025550101', phone_verified_at = app.now(), terms_version = '1', terms_accepted_at = app.now() $$,
      null,
      'an account accepts a verified phone with dated terms'
    ),
    (
      'ended_at = app.now(), phone = null, phone_verified_at = null, terms_version = null, terms_accepted_at = null',
      null,
      'an account ends with an id and times alone'
    )
) as changes (change, violation, title);

select * from finish();
rollback;
