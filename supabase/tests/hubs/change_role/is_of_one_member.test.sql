select plan(3);

select tests.elm();
select tests.hub('oak', 'jonas');
select app.change_role(tests.id('elm'), tests.id('jonas'), 'manager', null);
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: manager', 'jonas: admin'], 'one member has another role in one Hub'
);
select results_eq('select tests.events()', array['hub_role_changed: nobody, jonas'], 'and is told, whether somebody did it or not');
select is_empty($$ select tests.who_may('select app.change_role(null, null, null, null)') $$, 'moves alone change roles');

select * from finish();
