select plan(5);

select tests.elm();
select tests.act_as('lena');
select is_empty($$ select app.hub_people(tests.id('elm'), tests.ids('amara', 'maya', 'jonas')) $$, 'an outsider is shown nobody');
select tests.act_as('jonas');
select set_eq(
  $$ select user_id from app.hub_people(tests.id('elm'), tests.ids('amara', 'lena', 'unknown')) $$, tests.ids('amara', 'lena'), 'a member whom they ask for'
);
select is_empty($$ select app.hub_people(tests.id('ash'), tests.ids('amara', 'maya', 'jonas')) $$, 'and nobody in a Hub that is none');
reset role;
select tests.hub('ash', 'lena');
select tests.act_as('jonas');
select is_empty($$ select app.hub_people(tests.id('ash'), tests.ids('lena')) $$, 'or another''s');
reset role;
select tests.block('jonas', 'amara');
select tests.act_as('amara');
select is((person).display_name, 'Jonas', 'a block hides nobody') from app.hub_people(tests.id('elm'), tests.ids('jonas')) as person;

select * from finish();
