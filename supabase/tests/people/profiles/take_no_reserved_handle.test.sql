select plan(4);

select tests.person('maya', 2);
select tests.person('jonas', 1);
select is(
  tests.violation_of(format('update app.profiles set username = %L', handle)), 'profiles_username_is_not_reserved', handle || ' is nobody''s'
)
from unnest(array['admin', '_ad_min_']) as handle;
select tests.act_as('jonas');
select is(
  tests.violation_of($$ select api.save_profile_basics('{"termsAccepted": true, "username": "opine_support", "fullName": "Jonas", "termsVersion": "1"}') $$),
  'profiles_username_is_not_reserved', 'and nobody registers by it'
);
select is(app.level_of(tests.id('jonas')), 1, 'nothing is saved');

select * from finish();
