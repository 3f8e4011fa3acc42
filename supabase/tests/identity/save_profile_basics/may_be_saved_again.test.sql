select plan(2);

select tests.person('maya', 3);
select tests.act_as('maya');
select api.save_profile_basics('{"termsAccepted": true, "username": "maya_l", "fullName": "Maya L", "termsVersion": "2", "currentTermsVersion": "7"}');
select results_eq('select username collate "default", full_name from app.profiles', $$ values ('maya_l', 'Maya L') $$, 'the profile has changed');
select is(terms_version, '2', 'the terms are those that the client showed') from app.users;

select * from finish();
