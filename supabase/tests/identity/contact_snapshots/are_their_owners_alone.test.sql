select plan(8);

select tests.person('maya', 3);
select tests.upload('maya');
select tests.person('jonas', 3);

select set_eq($$ select tests.who_may('select from app.contact_snapshots') $$, array['authenticated'], 'signed-in people alone read snapshots');
select is_empty($$ select tests.who_may('delete from app.contact_snapshots') $$, 'nobody deletes one');
select tests.act_as('maya');
select results_eq('select user_id from app.contact_snapshots', array[tests.id('maya')], 'one sees one''s own');
select throws_ok('update app.contact_snapshots set ' || change, '42501', null, 'and does not say of it: ' || change)
from unnest(array['upload_id = app.uuid_v7()', 'created_at = app.now()']) as change;
select tests.act_as('jonas');
select is_empty('select from app.contact_snapshots', 'nobody else does');
select throws_ok(
  $$ insert into app.contact_snapshots (user_id, permission) values (tests.id('ann'), 'granted') $$,
  '42501', 'new row violates row-level security policy for table "contact_snapshots"', 'nobody announces the contacts of somebody else'
);
update app.contact_snapshots set stored_at = app.now();
reset role;
select is(stored_at, null, 'nor stores them') from app.contact_snapshots;

select * from finish();
