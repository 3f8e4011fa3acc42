select plan(6);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'admin');
select tests.act_as('amara');
select lives_ok($$ select app.remove_member(tests.id('elm'), tests.id('jonas')) $$, 'an admin removes a member');
reset role;
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_member_removed'::app.event_type, tests.id('amara'), tests.id('jonas'), tests.id('elm')) $$, 'who is told'
);
select bag_eq($$ select tests.members('oak') $$, array['jonas: admin'], 'and stays in other Hubs');
select is(tests.refusal_of('amara', $$ select app.remove_member(tests.id('elm'), tests.id('ann')) $$), null, 'another admin too');
delete from app.events;
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.refusal_of('amara', $$ select app.remove_member(tests.id('elm'), tests.id('amara')) $$);
select bag_eq($$ select tests.members('elm') $$, array['maya: admin'], 'or oneself');
select is_empty('select tests.events()', 'which is to leave, and told to nobody');

select * from finish();
