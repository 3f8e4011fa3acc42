select plan(3);

select tests.elm();
select is(tests.violation_of($$ select tests.membership('elm', 'jonas', 'manager') $$), 'memberships_pkey', 'one is a member once');
insert into app.memberships (hub_id, user_id, role) values (tests.id('elm'), tests.id('lena'), 'member');
select results_eq(
  $$ select joined_at, seen_at from app.memberships where user_id = tests.id('lena') $$,
  'values (app.now(), null::timestamptz)', 'from now on, and has not used the Hub'
);
select is(enum_range(null::app.hub_role)::text, '{member,manager,admin}', 'whoever comes later may do more');

select * from finish();
