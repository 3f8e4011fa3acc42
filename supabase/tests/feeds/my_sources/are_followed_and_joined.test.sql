select plan(6);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.hub('oak', 'jonas');
select tests.membership('ash', 'jonas');
select tests.follow('jonas', 'lena');
select tests.follow('jonas', 'maya');
select tests.follow('lena', 'amara');
select tests.follow('amara', 'jonas');
select tests.act_as('jonas');
select set_eq('select source_id from app.my_sources', tests.ids('lena', 'maya', 'elm', 'ash', 'oak'), 'whom one follows and the Hubs one is in');
select tests.act_as('lena');
select set_eq('select source_id from app.my_sources', tests.ids('amara', 'ash'), 'nobody else''s');
reset role;
delete from app.memberships where hub_id = tests.id('ash') and user_id = tests.id('jonas');
delete from app.follows where followee_id = tests.id('lena');
select tests.act_as('jonas');
select set_eq('select source_id from app.my_sources', tests.ids('maya', 'elm', 'oak'), 'now');
select api.block_user(tests.user('maya'));
select set_eq('select source_id from app.my_sources', tests.ids('elm', 'oak'), 'a block ends it');
select tests.act_as_guest();
select throws_ok('select from app.my_sources', '42501', null, 'a guest has none');
reset role;
select set_eq($$ select tests.who_may('select from app.my_sources') $$, array['authenticated'], 'it is the caller''s own');

select * from finish();
