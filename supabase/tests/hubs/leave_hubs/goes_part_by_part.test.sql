select plan(5);

select tests.elm();
select tests.person('ann', 4);
insert into app.hubs (id, name) select tests.id('hub ' || n), 'hub ' || n from generate_series(1, 2) as n;
insert into app.memberships (hub_id, user_id, role) select h.id, tests.id('ann'), 'member' from app.hubs as h;
select results_eq($$ select app.leave_hubs(tests.id('ann')) $$, array[true], 'a member of three Hubs leaves one');
select is(count(*)::integer, 2, 'the other two memberships stay') from app.memberships where user_id = tests.id('ann');
select results_eq(
  $$ select app.leave_hubs(tests.id('ann')) from generate_series(1, 3) $$, array[true, true, false], 'the last call finds no membership'
);
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'the other members stay');
select is_empty($$ select tests.who_may('select app.leave_hubs(null)') $$, 'no role leaves Hubs for others by itself');

select * from finish();
