select plan(6);

select tests.elm();
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('maya'));
select is(
  tests.refusal_of('jonas', $$ insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), app.user_id()) $$), null,
  'a member mutes a Hub'
);
select is(
  tests.refusal_of('jonas', $$ insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('amara')) $$), '42501',
  'nobody mutes a Hub for somebody else'
);
select is(
  tests.refusal_of('lena', $$ insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), app.user_id()) $$), '42501',
  'a non-member mutes no Hub'
);
select is(tests.refusal_of(null, 'select from app.hub_mutes'), '42501', 'a guest reads no mutes');
select tests.act_as('jonas');
select results_eq('select user_id from app.hub_mutes', array[tests.id('jonas')], 'nobody reads the mutes of others');
delete from app.hub_mutes;
reset role;
select results_eq('select user_id from app.hub_mutes', array[tests.id('maya')], 'nobody deletes the mutes of others');

select * from finish();
