select plan(2);

select tests.elm();
select tests.named('ann', 'Ann Lee');
select tests.hub('oak', 'lena');
select tests.person('outsider', 4);
insert into app.memberships (hub_id, user_id, role)
values (tests.id('elm'), tests.id('ann'), 'member'), (tests.id('oak'), tests.id('ann'), 'member'), (tests.id('oak'), tests.id('jonas'), 'member');
select bag_eq(
  $$ select format('%s %s %s', h.name, p.username, n.name) from app.member_names as n join app.hubs as h on h.id = n.hub_id join app.profiles as p using (user_id) $$,
  array[
    'elm amara amara', 'elm maya maya', 'elm jonas jonas', 'elm ann ann', 'elm ann ann lee', 'elm ann lee',
    'oak lena lena', 'oak ann ann', 'oak ann ann lee', 'oak ann lee', 'oak jonas jonas'
  ],
  'who joins has their names in that Hub'
);
select set_eq(
  $$ select username collate "default" from app.profiles where xmax::text <> '0' $$, array['amara', 'maya', 'jonas', 'lena', 'ann'],
  'and nobody else changes them meanwhile'
);

select * from finish();
