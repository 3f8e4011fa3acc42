select plan(5);

select tests.person('maya', 1);
select tests.act_as('maya');
select is(
  tests.error_of(format(
    'select api.save_profile_basics(%L)', jsonb_build_object('username', 'maya', 'fullName', 'Maya', 'currentTermsVersion', '7') || consent
  )) ->> 'code',
  'VALIDATION_FAILED',
  'nobody registers with ' || consent::text
)
from unnest(array['{}', '{"termsAccepted": false}', '{"termsAccepted": null}', '{"termsAccepted": "true"}']::jsonb[]) as consent;
select is_empty('select from app.profiles', 'and nothing is saved');

select * from finish();
