select plan(2);

select tests.person('maya', 1);
select app.end_user(tests.id('maya'));
select is(app.level_of(tests.id('maya')), 0, 'an ended account has no level');
-- The Data API accepts an access token until it expires, whatever became of its session.
select tests.act_as('maya');
select throws_ok(
  $$ select api.save_profile_basics('{"termsAccepted": true, "username": "maya_again", "fullName": "Maya", "termsVersion": "1"}') $$,
  'PT401', 'UNAUTHORIZED', 'and does not come back with a new profile'
);

select * from finish();
