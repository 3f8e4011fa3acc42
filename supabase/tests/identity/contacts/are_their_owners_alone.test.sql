select plan(7);

select tests.person('maya', 3);
select tests.upload('maya');
select tests.act_as('maya');
select tests.store_contacts('maya', '+12025550199');
reset role;
select tests.person('jonas', 4);
select tests.upload('jonas');

select set_eq($$ select tests.who_may('select from app.contacts') $$, array['authenticated'], 'signed-in people alone read contacts');
select is_empty($$ select tests.who_may('update app.contacts set name = name') $$, 'nobody changes one');
select is_empty($$ select tests.who_may('delete from app.contacts') $$, 'nobody deletes one');
select tests.act_as('maya');
select results_eq('select user_id from app.contacts', array[tests.id('maya')], 'one sees one''s own');
select tests.act_as('jonas');
select is_empty('select from app.contacts', 'and nobody else''s');
select throws_ok(
  $$ insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id('maya'), 9, 'Ann', '{}') $$,
  '42501', 'new row violates row-level security policy for table "contacts"', 'nobody adds to those of somebody else'
);
select tests.act_as_guest();
select throws_ok('select from app.contacts', '42501', null, 'a guest sees none');

select * from finish();
