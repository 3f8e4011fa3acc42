select plan(8);

select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.act_as('maya');

select lives_ok(
  $$ update app.users set terms_version = '1', terms_accepted_at = app.now(), media_completed_at = app.now(),
      contacts_synced_at = app.now() $$,
  'the steps of onboarding that need no proof are the owner''s to take'
);
select throws_ok(format('update app.users set %s', change), '42501', null, 'nobody says of themselves: ' || change)
from unnest(array[
  'phone = ''+12025550101'', phone_verified_at = app.now()',
  'device_hash = null',
  'ended_at = null',
  'created_at = app.now()',
  'id = app.uuid_v7()'
]) as change;
select throws_ok('delete from app.users', '42501', null, 'nobody deletes an account');
reset role;
select results_eq(
  $$ select id from app.users where terms_version = '1' $$, array[tests.id('maya')], 'other accounts stay as they are'
);

select * from finish();
