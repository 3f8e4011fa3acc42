select plan(3);

select tests.person('maya', 3);
select tests.act_as('maya');
select api.save_profile_basics('{"termsAccepted": true, "username": "maya_l", "fullName": "Maya L", "termsVersion": "7", "currentTermsVersion": "7"}');
select results_eq('select username collate "default", full_name from app.profiles', $$ values ('maya_l', 'Maya L') $$, 'the profile has changed');
select is(terms_version, '7', 'the accepted terms are the current ones') from app.users;
select is(
  tests.error_of($$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya", "fullName": "Maya", "termsVersion": "6", "currentTermsVersion": "7"}') $$)
    #> '{details,issues}',
  '[{"path": ["termsVersion"], "code": "not_current", "message": "The terms are at version 7."}]',
  'terms of another version than the current one are refused'
);

select * from finish();
