select plan(3);

select tests.person('maya', 4);
select tests.upload('maya');
select tests.act_as('maya');
select lives_ok($$ select tests.store_contacts('maya', '+12025550101') $$, 'an upload is stored');
select throws_ok(
  $$ select tests.store_contacts('maya', '+12025550199') $$, 'PT409', 'CONTACT_SNAPSHOT_CONFLICT', 'it is not stored again'
);
select results_eq('select phone_numbers from app.contacts', $$ values (array['+12025550101']) $$, 'and stays as it came first');

select * from finish();
