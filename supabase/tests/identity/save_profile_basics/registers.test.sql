select plan(4);

select tests.person('maya', 1);
select tests.act_as('maya');
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

select * from finish();
