select plan(5);

select tests.person('maya', 1);

select is(
  tests.violation_of('update app.users set ended_at = app.now(), ' || change), 'users_ended_hold_nothing', 'an ended account has no ' || what
)
from (
  values
    ('phone', $$ phone = '+12025550101', phone_verified_at = app.now() $$),
    ('accepted terms', $$ terms_version = '1', terms_accepted_at = app.now() $$),
    ('finished media step', $$ media_completed_at = app.now() $$),
    ('synced contacts', $$ contacts_synced_at = app.now() $$)
) as held (what, change);
select is(tests.violation_of('update app.users set ended_at = app.now()'), null, 'an id and a time are left');

select * from finish();
