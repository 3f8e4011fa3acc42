begin;
select plan(51);
savepoint empty;

-- save_profile_basics requires consent to the current terms (docs/product.md O3).
select tests.person('maya', 1);
select tests.authenticate_as('maya');

create function pg_temp.details(p_consent jsonb)
returns jsonb
language sql
return tests.error_of(format(
  'select api.save_profile_basics(%L)',
  '{"username": "maya", "fullName": "Maya", "currentTermsVersion": "7"}'::jsonb || p_consent
)) #> '{details,issues}';

select is(
  pg_temp.details(consent),
  '[{"path": ["termsAccepted"], "code": "required", "message": "The terms must be accepted."}]',
  'saving profile basics fails ' || condition
)
from (
  values
    ('{}'::jsonb, 'without termsAccepted'),
    ('{"termsAccepted": false}', 'if termsAccepted is false'),
    ('{"termsAccepted": null}', 'if termsAccepted is null'),
    ('{"termsAccepted": "true"}', 'if termsAccepted is a text')
) as refused (consent, condition);
select is(
  pg_temp.details('{"termsAccepted": true, "termsVersion": "6"}'),
  '[{"path": ["termsVersion"], "code": "not_current", "message": "The terms are at version 7."}]',
  'saving profile basics fails with consent to older terms'
);
select is_empty('select from app.profiles', 'refused profile basics create no profile');

rollback to empty;

-- save_profile_basics registers an anonymous user (docs/product.md O3).
select tests.person('maya', 1);
select tests.authenticate_as('maya');
create temporary table answers as
select api.save_profile_basics(
  '{"termsAccepted": true, "username": "maya", "fullName": "Maya L", "currentTermsVersion": "7"}'
) as answer;
select is(answer ->> 'nextStep', 'media', 'saving profile basics answers the media step as the next') from answers;
select is(answer -> 'status' -> 'level', '2', 'saving profile basics raises the user to level 2') from answers;
select results_eq(
  'select user_id, username collate "default", full_name from app.profiles',
  $$ values (tests.id('maya'), 'maya', 'Maya L') $$,
  'saving profile basics creates the profile of the caller'
);
select results_eq(
  'select terms_version, terms_accepted_at from app.users', $$ values ('7', app.now()) $$,
  'saving profile basics stores the current terms version and the time'
);
select api.save_profile_basics(
  '{"termsAccepted": true, "username": "maya_l", "fullName": "Maya Lind", "termsVersion": "8", '
  '"currentTermsVersion": "8"}'
);
select results_eq(
  'select username collate "default", full_name from app.profiles', $$ values ('maya_l', 'Maya Lind') $$,
  'saving profile basics again changes the profile'
);
select is(terms_version, '8', 'saving profile basics again stores the new terms version') from app.users;

rollback to empty;

-- save_profile_basics writes for an account whose deletion is under way.
select tests.person('maya', 2);
select tests.account_deletion('maya');
select is(
  tests.refusal_as(
    'maya',
    $$
      select api.save_profile_basics(
        '{"fullName": "Maya", "username": "maya_again", "termsAccepted": true, "currentTermsVersion": "1"}'
      )
    $$
  ),
  null, 'saving profile basics during account deletion raises no policy violation'
);

rollback to empty;

-- complete_media requires level 2 and keeps its first time (docs/product.md O4).
select tests.person('guest', 1);
select tests.person('maya', 2);
select is(
  tests.refusal_as('guest', $$ select api.complete_media('{}') $$), 'PT403 FORBIDDEN',
  'a user below level 2 cannot complete the media step'
);
select tests.authenticate_as('maya');
create temporary table answers as select api.complete_media('{}') as answer;
select is(answer ->> 'nextStep', 'phone', 'completing the media step answers the phone step as the next') from answers;
select is(
  answer -> 'status' -> 'mediaCompleted', 'true', 'completing the media step answers it as completed'
) from answers;
select is(
  answer -> 'profile' ->> 'username', 'maya', 'completing the media step answers the profile of the caller'
) from answers;
reset role;
select app.set_clock_offset('10 minutes');
select tests.authenticate_as('maya');
select api.complete_media('{}');
select is(media_completed_at, now(), 'completing the media step again keeps its first time') from app.users;

rollback to empty;

-- complete_media sets the profile photo (docs/product.md O4).
select tests.person('maya', 2);
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('picture', 'maya');

select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select api.complete_media(jsonb_build_object('profileAssetId', tests.id('picture'))) $$)
    #> '{details,issues,0,path}',
  '["profileAssetId"]', 'the media step rejects an asset that is no profile photo'
);
select is(media_completed_at, null, 'a rejected asset leaves the media step open') from app.users;
select is(api.complete_media(args) -> 'profile' -> 'editable' -> 'profileAssetId', to_jsonb(tests.id('face')), title)
from (
  values
    (jsonb_build_object('profileAssetId', tests.id('face')), 'the media step sets the profile photo'),
    ('{"profileAssetId": null}', 'the media step with a null asset keeps the profile photo'),
    ('{}', 'the media step without an asset keeps the profile photo')
) as steps (args, title);
reset role;
select is_empty('select tests.expired_objects()', 'the media step without an asset removes no stored object');

rollback to empty;

-- sync_contacts requires level 3 and finishes onboarding (docs/product.md O5).
select tests.person('lena', 2);
select tests.person('maya', 3);
select tests.authenticate_as('lena');
select is(
  tests.error_of($$ select api.sync_contacts('{"permission": "granted"}') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 3, "level": 2, "nextStep": "media"}}',
  'a user below level 3 cannot take the contacts step'
);
reset role;
select is_empty('select from app.contact_snapshots', 'a refused contacts step announces no snapshot');
select tests.authenticate_as('maya');
create temporary table answers as select api.sync_contacts('{"permission": "limited", "contactCount": 12}') as answer;
select is(
  answer #> '{status}' -> 'level' || (answer #> '{status}' -> 'nextStep'), '[4, null]',
  'the contacts step raises the user to level 4 and leaves no step'
)
from answers;
select is(
  answer -> 'status' ->> 'contactsSyncedAt', app.iso(app.now()), 'the contacts step answers when contacts were synced'
)
from answers;
select is(
  answer -> 'snapshot', jsonb_build_object('uploadId', s.upload_id, 'state', 'pending'),
  'the contacts step answers the upload of the contact snapshot as pending'
)
from answers, app.contact_snapshots as s;
select results_eq(
  'select user_id, permission from app.contact_snapshots', $$ values (tests.id('maya'), 'limited') $$,
  'the contacts step announces a contact snapshot with its permission'
);

rollback to empty;

-- sync_contacts changes nothing when repeated (docs/product.md O5).
select tests.person('maya', 3);

create function pg_temp.sync_at(p_offset interval, p_args jsonb)
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  perform app.set_clock_offset(p_offset);
  perform tests.authenticate_as('maya');
  v_answer := api.sync_contacts(p_args);
  perform set_config('role', 'none', true);
  return v_answer;
end
$$;

create temporary table answers as
select pg_temp.sync_at('0', '{"permission": "granted", "contactCount": 12}') as answer;
create temporary table snapshots as select * from app.contact_snapshots;
select is(
  pg_temp.sync_at('1 minute', '{"permission": "limited", "contactCount": 99}'), answer,
  'repeating the contacts step answers the same'
)
from answers;
select results_eq(
  'select * from app.contact_snapshots', 'select * from snapshots',
  'repeating the contacts step leaves the contact snapshot unchanged'
);
select is(contacts_synced_at, now(), 'repeating the contacts step keeps its first time') from app.users;

select tests.authenticate_as('maya');
select api.store_contacts(jsonb_build_object('uploadId', upload_id, 'contacts', '[]'::jsonb))
from app.contact_snapshots;
reset role;
select is(
  pg_temp.sync_at('2 minutes', '{"permission": "granted"}') -> 'snapshot' ->> 'state', 'stored',
  'repeating the contacts step after the upload answers the snapshot as stored'
);

rollback to empty;

-- store_contacts keeps the contacts of an upload in their order, once (docs/product.md O6).
select tests.person('maya', 4);
select tests.contact_upload('maya');
select tests.authenticate_as('maya');
select is(
  api.store_contacts(jsonb_build_object('uploadId', tests.id('upload of maya'), 'contacts', '[
    {"name": "Zoe", "phoneNumbers": ["+12025550101", null, "+12025550102", "+12025550101", "0202 5550103"],
    "thumbnail": "iVBORw=="},
    {"name": "", "phoneNumbers": []},
    {"name": "Ann", "phoneNumbers": ["+12025550101"]}
  ]'::jsonb)),
  jsonb_build_object('uploadId', tests.id('upload of maya'), 'state', 'stored', 'contactCount', 3, 'skippedCount', 2),
  'storing contacts answers their count and that of the numbers left out'
);
select throws_ok(
  $$ select tests.store_contacts('maya', '+12025550199') $$, 'PT409', 'CONTACT_SNAPSHOT_CONFLICT',
  'a contact snapshot cannot be stored twice'
);
select results_eq(
  'select user_id, place, name, phone_numbers, thumbnail from app.contacts order by place',
  $$
    values
      (tests.id('maya'), 1, 'Zoe', array['+12025550101', '+12025550102'], '\x89504e47'::bytea),
      (tests.id('maya'), 2, '', '{}'::text[], null),
      (tests.id('maya'), 3, 'Ann', array['+12025550101'], null)
  $$,
  'stored contacts keep the order and fields of the first upload'
);
select is(stored_at, app.now(), 'storing contacts sets the time of the snapshot') from app.contact_snapshots;

rollback to empty;

-- store_contacts finds only the caller's own upload (docs/product.md O6).
select tests.person(name, 4), tests.contact_upload(name) from unnest(array['maya', 'jonas']) as name;

create function pg_temp.refusal(p_upload text)
returns text
language sql
return tests.refusal_as('jonas', format('select tests.store_contacts(%L, %L)', p_upload, '+12025550101'));

select is(
  pg_temp.refusal('maya'), 'PT404 UPLOAD_NOT_FOUND', 'a user cannot store contacts in the upload of another user'
);
select is(pg_temp.refusal('nobody'), 'PT404 UPLOAD_NOT_FOUND', 'a user cannot store contacts in an unknown upload');
update app.contact_snapshots set stored_at = app.now() where user_id = tests.id('maya');
select is(
  pg_temp.refusal('maya'), 'PT404 UPLOAD_NOT_FOUND',
  'a refusal does not reveal whether the upload of another user is stored'
);
select is_empty('select from app.contacts', 'a refused upload stores no contacts');
delete from app.sessions;
select set_config('request.jwt.claims', tests.claims('jonas')::text, true), set_config('role', 'authenticated', true);
select throws_ok(
  $$ select tests.store_contacts('jonas', '+12025550101') $$, 'PT401', 'UNAUTHORIZED',
  'a user without a live session cannot store contacts'
);

rollback to empty;

-- store_contacts takes a snapshot up to its limits.
select tests.person('maya', 3), tests.contact_upload('maya');
create function pg_temp.refusal(p_contact_count integer, p_phone_count integer, p_thumbnail_size integer)
returns text
language plpgsql
as $$
declare
  v_refusal text;
begin
  perform tests.authenticate_as('maya');
  v_refusal := tests.error_of(format('select api.store_contacts(%L)', jsonb_build_object(
    'uploadId', tests.id('upload of maya'),
    'contacts', (
      select jsonb_agg(jsonb_build_object(
        'name', 'Somebody',
        'phoneNumbers', (
          select coalesce(jsonb_agg('+1202' || lpad(p::text, 7, '5')), '[]')
          from generate_series(
            1, p_phone_count / p_contact_count + (n <= p_phone_count % p_contact_count)::integer
          ) as p
        ),
        -- Base64 of Postgres has line ends.
        'thumbnail', translate(
          encode(decode(repeat('00', case n when 1 then p_thumbnail_size else 0 end), 'hex'), 'base64'), E'\n', ''
        )
      ))
      from generate_series(1, p_contact_count) as n
    )
  ))) #>> '{details,issues,0,code}';
  raise exception 'undo the call';
exception when raise_exception then
  return v_refusal;
end
$$;
select is(pg_temp.refusal(contact_count, phone_count, thumbnail_size), expected, title)
from (
  values
    (5000, 5000, 0, null, 'store_contacts takes 5,000 contacts'),
    (5001, 5001, 0, 'out_of_range', 'store_contacts refuses 5,001 contacts'),
    (400, 20000, 0, null, 'store_contacts takes 20,000 numbers'),
    (401, 20001, 0, 'too_big', 'store_contacts refuses 20,001 numbers'),
    (1, 50, 0, null, 'store_contacts takes 50 numbers of a contact'),
    (1, 51, 0, 'out_of_range', 'store_contacts refuses 51 numbers of a contact'),
    (1, 1, 8192, null, 'store_contacts takes a thumbnail of 8 KiB'),
    (1, 1, 8193, 'too_big', 'store_contacts refuses a thumbnail of a byte more')
) as c (contact_count, phone_count, thumbnail_size, expected, title);

select * from finish();
rollback;
