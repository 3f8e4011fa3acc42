select plan(5);

select tests.person('maya', 1);
select tests.act_as('maya');
select is(
  api.get_onboarding_status('{}'),
  '{"profileBasics": false, "mediaCompleted": false, "phoneConfirmed": false, "contactsSynced": false, "contactsSyncedAt": null,
    "level": 1, "completed": false, "nextStep": "profile_basics"}',
  'an anonymous user registers first'
);
reset role;
insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya');
select tests.act_as('maya');
select is(api.get_onboarding_status('{}') ->> 'nextStep', 'media', 'then comes the photo');
reset role;
update app.users set media_completed_at = app.now();
select tests.act_as('maya');
select is(api.get_onboarding_status('{}') ->> 'nextStep', 'phone', 'then the phone');
reset role;
update app.users set phone = tests.phone_of('maya'), phone_verified_at = app.now();
select tests.act_as('maya');
select is(api.get_onboarding_status('{}') ->> 'nextStep', 'contacts', 'then the contacts');
reset role;
update app.users set contacts_synced_at = '2026-01-02 03:04:05+00';
select tests.act_as('maya');
select is(
  api.get_onboarding_status('{}'),
  '{"profileBasics": true, "mediaCompleted": true, "phoneConfirmed": true, "contactsSynced": true,
    "contactsSyncedAt": "2026-01-02T03:04:05.000Z", "level": 4, "completed": true, "nextStep": null}',
  'then nothing is left'
);

select * from finish();
