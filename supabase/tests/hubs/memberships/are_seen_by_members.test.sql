select plan(4);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');

select tests.act_as('jonas');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: member', 'lena: admin', 'jonas: member'], 'members see who is in their Hubs'
);
select tests.act_as('amara');
select bag_eq(
  $$ select user_id from app.memberships $$, array[tests.id('amara'), tests.id('maya'), tests.id('jonas')], 'and in no others'
);
select tests.act_as('lena');
select is_empty($$ select tests.members('elm') $$, 'an outsider sees nobody');
select tests.act_as_guest();
select throws_ok('select from app.memberships', '42501', null, 'nor does a guest');

select * from finish();
