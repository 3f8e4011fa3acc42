begin;
select plan(51);
savepoint empty;

-- complete_media: follows the profile
select tests.person('guest', 1);
select tests.person('maya', 2);
select tests.authenticate_as('guest');
select throws_ok($$ select api.complete_media('{}') $$, 'PT403', 'FORBIDDEN', 'without a profile there is nothing to complete');
select tests.authenticate_as('maya');
create temporary table answers as select api.complete_media('{}') as answer;
select is(answer ->> 'nextStep', 'phone', 'the next step is told') from answers;
select is(answer -> 'status' -> 'mediaCompleted', 'true', 'the step is done') from answers;
select is(answer -> 'profile' ->> 'username', 'maya', 'the own profile comes with it') from answers;

rollback to empty;

-- complete_media: happens once
select tests.person('maya', 2);
select tests.authenticate_as('maya');
select api.complete_media('{}');
reset role;
select app.set_clock_offset('10 minutes');
select tests.authenticate_as('maya');
select api.complete_media('{}');
select is(media_completed_at, now(), 'the step keeps its first time') from app.users;

rollback to empty;

-- complete_media: sets the photo
select tests.person('maya', 2);
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('picture', 'maya');

create function pg_temp.complete(p_args jsonb)
returns jsonb
language sql
return api.complete_media(p_args) -> 'profile' -> 'editable' -> 'profileAssetId';

select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select api.complete_media(jsonb_build_object('profileAssetId', tests.id('picture'))) $$) #> '{details,issues,0,path}',
  '["profileAssetId"]', 'what is no profile photo is refused'
);
select is(media_completed_at, null, 'and the step is not done') from app.users;
select is(
  pg_temp.complete(jsonb_build_object('profileAssetId', tests.id('face'))), to_jsonb(tests.id('face')), 'a photo is shown on the profile'
);
select is(pg_temp.complete('{"profileAssetId": null}'), to_jsonb(tests.id('face')), 'to go on without another takes none away');
select is(pg_temp.complete('{}'), to_jsonb(tests.id('face')), 'nor does to say nothing');
reset role;
select is_empty('select tests.to_be_removed()', 'and nothing is removed');

rollback to empty;

-- save_profile_basics: beside the end of the account
select tests.person('maya', 2);
insert into app.account_deletions (user_id) values (tests.id('maya'));
select is(
  tests.refusal_of('maya', $$ select api.save_profile_basics('{"fullName": "Maya", "username": "maya_again", "termsAccepted": true, "currentTermsVersion": "1"}') $$),
  null, 'saving profile basics while one''s account ends raises no policy violation'
);

rollback to empty;

-- save_profile_basics: may be saved again
select tests.person('maya', 3);
select tests.authenticate_as('maya');
select api.save_profile_basics('{"termsAccepted": true, "username": "maya_l", "fullName": "Maya L", "termsVersion": "7", "currentTermsVersion": "7"}');
select results_eq('select username collate "default", full_name from app.profiles', $$ values ('maya_l', 'Maya L') $$, 'the profile has changed');
select is(terms_version, '7', 'the accepted terms are the current ones') from app.users;
select is(
  tests.error_of($$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya", "fullName": "Maya", "termsVersion": "6", "currentTermsVersion": "7"}') $$)
    #> '{details,issues}',
  '[{"path": ["termsVersion"], "code": "not_current", "message": "The terms are at version 7."}]',
  'terms of another version than the current one are refused'
);

rollback to empty;

-- save_profile_basics: needs consent
select tests.person('maya', 1);
select tests.authenticate_as('maya');
select is(
  tests.error_of(format(
    'select api.save_profile_basics(%L)', jsonb_build_object('username', 'maya', 'fullName', 'Maya', 'currentTermsVersion', '7') || consent
  )) ->> 'code',
  'VALIDATION_FAILED',
  'nobody registers with ' || consent::text
)
from unnest(array['{}', '{"termsAccepted": false}', '{"termsAccepted": null}', '{"termsAccepted": "true"}']::jsonb[]) as consent;
select is_empty('select from app.profiles', 'and nothing is saved');

rollback to empty;

-- save_profile_basics: refuses a taken handle
select tests.person('maya', 2);
select tests.person('jonas', 1);
select tests.authenticate_as('jonas');
select is(
  tests.violation_of($$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya", "fullName": "Jonas", "termsVersion": "1"}') $$),
  'profiles_username_key', 'a handle has one owner'
);
select is(app.level_of(tests.id('jonas')), 1, 'nothing is saved');
reset role;
select app.end_user(tests.id('maya'));
select tests.authenticate_as('jonas');
select lives_ok(
  $$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya", "fullName": "Jonas", "termsVersion": "1"}') $$,
  'the handle of an ended account is free at once'
);

rollback to empty;

-- save_profile_basics: registers
select tests.person('maya', 1);
select tests.authenticate_as('maya');
create temporary table answers as
select api.save_profile_basics('{"termsAccepted": true, "username": "maya", "fullName": "Maya Lindqvist", "currentTermsVersion": "7"}') as answer;
select is(answer ->> 'nextStep', 'media', 'the next step is told') from answers;
select is(answer -> 'status' -> 'level', '2', 'the level is 2') from answers;
select results_eq(
  'select user_id, username collate "default", full_name from app.profiles', $$ values (tests.id('maya'), 'maya', 'Maya Lindqvist') $$, 'the profile is there'
);
select results_eq(
  'select terms_version, terms_accepted_at from app.users', $$ values ('7', app.now()) $$, 'the terms of the day are accepted'
);

rollback to empty;

-- store_contacts: happens once
select tests.person('maya', 4);
select tests.upload('maya');
select tests.authenticate_as('maya');
select lives_ok($$ select tests.store_contacts('maya', '+12025550101') $$, 'an upload is stored');
select throws_ok(
  $$ select tests.store_contacts('maya', '+12025550199') $$, 'PT409', 'CONTACT_SNAPSHOT_CONFLICT', 'it is not stored again'
);
select results_eq('select phone_numbers from app.contacts', $$ values (array['+12025550101']) $$, 'and stays as it came first');

rollback to empty;

-- store_contacts: is for the owner of the upload
select tests.person('maya', 4);
select tests.upload('maya');
select tests.person('jonas', 4);
select tests.upload('jonas');

select tests.authenticate_as('jonas');
select throws_ok(
  $$ select tests.store_contacts('maya', '+12025550101') $$, 'PT404', 'UPLOAD_NOT_FOUND', 'the upload of somebody else is not found'
);
select throws_ok($$ select tests.store_contacts('nobody', '+12025550101') $$, 'PT404', 'UPLOAD_NOT_FOUND', 'nor is one that never was');
reset role;
update app.contact_snapshots set stored_at = app.now() where user_id = tests.id('maya');
select tests.authenticate_as('jonas');
select throws_ok(
  $$ select tests.store_contacts('maya', '+12025550101') $$, 'PT404', 'UPLOAD_NOT_FOUND', 'whether it was stored does not show'
);
reset role;
select is_empty('select from app.contacts', 'nothing is stored');
select set_eq($$ select tests.who_may($s$ select api.store_contacts('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select tests.store_contacts('jonas', '+12025550101') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');

rollback to empty;

-- store_contacts: keeps them in order
select tests.person('maya', 4);
select tests.upload('maya');
select tests.authenticate_as('maya');
select is(
  api.store_contacts(jsonb_build_object('uploadId', tests.id('upload of maya'), 'contacts', '[
    {"name": "Zoe", "phoneNumbers": ["+12025550101", "+12025550102"], "thumbnail": "iVBORw=="},
    {"name": "", "phoneNumbers": []},
    {"name": "Ann", "phoneNumbers": ["+12025550101"]}
  ]'::jsonb)),
  jsonb_build_object('uploadId', tests.id('upload of maya'), 'state', 'stored', 'contactCount', 3),
  'what was stored is counted'
);
select results_eq(
  'select user_id, place, name, phone_numbers, thumbnail from app.contacts order by place',
  $$
    values
      (tests.id('maya'), 1, 'Zoe', array['+12025550101', '+12025550102'], '\x89504e47'::bytea),
      (tests.id('maya'), 2, '', '{}'::text[], null),
      (tests.id('maya'), 3, 'Ann', array['+12025550101'], null)
  $$,
  'contacts lie as they came'
);
select is(stored_at, app.now(), 'as of now') from app.contact_snapshots;

rollback to empty;

-- sync_contacts: finishes onboarding
select tests.person('maya', 3);
select tests.authenticate_as('maya');
create temporary table answers as select api.sync_contacts('{"permission": "limited", "contactCount": 12}') as answer;
select is(
  answer #> '{status}' -> 'level' || (answer #> '{status}' -> 'nextStep'), '[4, null]', 'the person is Hub-ready, and no step is left'
)
from answers;
select is(answer -> 'status' ->> 'contactsSyncedAt', app.iso(app.now()), 'as of now') from answers;
select is(
  answer -> 'snapshot', jsonb_build_object('uploadId', s.upload_id, 'state', 'pending'), 'the upload is told where to go'
)
from answers, app.contact_snapshots as s;
select results_eq(
  'select user_id, permission from app.contact_snapshots', $$ values (tests.id('maya'), 'limited') $$, 'and awaited'
);

rollback to empty;

-- sync_contacts: happens once
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

create temporary table firsts as
select pg_temp.sync_at('0', '{"permission": "granted", "contactCount": 12}') as answer;
create temporary table snapshots as select * from app.contact_snapshots;
select is(pg_temp.sync_at('1 minute', '{"permission": "limited", "contactCount": 99}'), answer, 'the answer is the same again') from firsts;
select results_eq('select * from app.contact_snapshots', 'select * from snapshots', 'and nothing changes');
select is(contacts_synced_at, now(), 'the step keeps its first time') from app.users;

select tests.authenticate_as('maya');
select api.store_contacts(jsonb_build_object('uploadId', upload_id, 'contacts', '[]'::jsonb)) from app.contact_snapshots;
reset role;
select is(
  pg_temp.sync_at('2 minutes', '{"permission": "granted"}') -> 'snapshot' ->> 'state', 'stored', 'but that the upload has arrived is told'
);

rollback to empty;

-- sync_contacts: needs a confirmed phone
select tests.person('lena', 2);
select tests.person('maya', 3);

create function pg_temp.sync()
returns jsonb
language sql
return tests.error_of($$ select api.sync_contacts('{"permission": "granted"}') $$);

select tests.authenticate_as('lena');
select is(
  pg_temp.sync(), '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 3, "level": 2, "nextStep": "media"}}',
  'who has no phone cannot take the step'
);
reset role;
select is_empty('select from app.contact_snapshots', 'and announces nothing');
select tests.authenticate_as('maya');
select is(pg_temp.sync(), null, 'who has one can');
select set_eq($$ select tests.who_may($s$ select api.sync_contacts('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');

select * from finish();
rollback;
