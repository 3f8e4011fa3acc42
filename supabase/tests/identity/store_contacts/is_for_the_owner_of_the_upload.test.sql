select plan(6);

select tests.person('maya', 4);
select tests.upload('maya');
select tests.person('jonas', 4);
select tests.upload('jonas');

select tests.act_as('jonas');
select throws_ok(
  $$ select tests.store_contacts('maya', '+12025550101') $$, 'PT404', 'UPLOAD_NOT_FOUND', 'the upload of somebody else is not found'
);
select throws_ok($$ select tests.store_contacts('nobody', '+12025550101') $$, 'PT404', 'UPLOAD_NOT_FOUND', 'nor is one that never was');
reset role;
update app.contact_snapshots set stored_at = app.now() where user_id = tests.id('maya');
select tests.act_as('jonas');
select throws_ok(
  $$ select tests.store_contacts('maya', '+12025550101') $$, 'PT404', 'UPLOAD_NOT_FOUND', 'whether it was stored does not show'
);
reset role;
select is_empty('select from app.contacts', 'nothing is stored');
select set_eq($$ select tests.who_may($s$ select api.store_contacts('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select tests.store_contacts('jonas', '+12025550101') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');

select * from finish();
