select plan(3);

select tests.elm();
insert into app.events select (tests.event('hub_member_joined', 'lena', 'lena', 'elm')).*;
insert into app.events select (tests.event('hub_member_removed', 'amara', 'lena', 'elm')).*;

select app.tell(e, tests.ids('maya', 'jonas', 'maya')) from app.events as e where e.type = 'hub_member_joined';
update app.notifications set read_at = app.now() where recipient_id = tests.id('maya');
select app.tell(e, tests.ids('maya', 'amara')) from app.events as e where e.type = 'hub_member_joined';
select bag_eq('select tests.recipients()', array['maya', 'jonas', 'amara'], 'who was told is not told again');
select isnt_empty($$ select from app.notifications where recipient_id = tests.id('maya') and read_at is not null $$, 'nor is what they have read unread');
select app.tell(e, tests.ids('maya')) from app.events as e where e.type = 'hub_member_removed';
select bag_eq('select tests.recipients()', array['maya', 'maya', 'jonas', 'amara'], 'but of something else they are');

select * from finish();
