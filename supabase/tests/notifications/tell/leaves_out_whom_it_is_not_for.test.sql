select plan(3);

select tests.elm();
select tests.person(name, 4) from unnest(array['ann', 'ben', 'eve', 'tom']) as name;
select tests.membership('elm', 'lena');
select tests.post('trams', 'eve', 'public_hub');
select tests.block('ann', 'maya'), tests.block('maya', 'ben'), tests.block('tom', 'eve'), tests.block('lena', 'amara');
select app.end_user(tests.id('amara'));
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where user_id = tests.id('jonas');
select tests.hub('oak', 'lena');
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where hub_id = tests.id('oak') on conflict do nothing;
insert into app.events select (tests.event('post_shared_to_hub', 'maya', p_hub => 'elm', p_post => 'trams')).*;
insert into app.events select (tests.event('hub_member_joined', 'maya', 'maya', 'elm')).*;

select app.tell(e, tests.ids('amara', 'maya', 'jonas', 'lena', 'ann', 'ben', 'eve', 'tom', 'no such person')) from app.events as e where e.type = 'post_shared_to_hub';
select set_eq(
  $$ select tests.recipients('post_shared_to_hub') $$, array['lena', 'eve'],
  'neither who did it, nor whom a block parts from them or from whose post it is, nor who has muted the Hub, nor whose account has ended'
);
select app.tell(e, tests.ids('maya', 'jonas', 'lena', 'tom')) from app.events as e where e.type = 'hub_member_joined';
select set_eq($$ select tests.recipients('hub_member_joined') $$, array['jonas', 'lena', 'tom'], 'a mute keeps back posts alone');
select is_empty($$ select tests.who_may('select app.tell(null, null)') $$, 'no role tells anybody anything');

select * from finish();
