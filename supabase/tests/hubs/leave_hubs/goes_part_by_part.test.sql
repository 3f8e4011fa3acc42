select plan(6);

select tests.elm();
select tests.person('ann', 4);
insert into app.hubs (id, name) select tests.id('hub ' || n), 'hub ' || n from generate_series(1, 51) as n;
insert into app.memberships (hub_id, user_id, role) select h.id, tests.id('ann'), 'member' from app.hubs as h;
select results_eq($$ select app.leave_hubs(tests.id('ann')) $$, array[true], 'of 52 Hubs two are left');
select is(count(*)::integer, 2, 'after 50') from app.memberships where user_id = tests.id('ann');
select ok(
  not exists (
    select from app.memberships as m
    where m.user_id = tests.id('ann') and exists (select from app.hubs as h where h.id > m.hub_id and h.closed_at is not null)
  ),
  'in one order, so that two who go do not wait for each other'
);
select results_eq($$ select app.leave_hubs(tests.id('ann')) $$, array[false], 'then none');
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'others stay');
select is_empty($$ select tests.who_may('select app.leave_hubs(null)') $$, 'the worker does this by app.finish_departure');

select * from finish();
