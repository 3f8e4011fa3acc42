select plan(7);

select tests.elm();
select tests.post('trams', 'amara', 'public_hub');
delete from app.events;
select tests.notification('posted', 'jonas', 'hub_post_created', 'amara', 'elm', 'trams'), tests.notification('role', 'jonas', 'hub_role_changed', 'amara', 'elm');
select tests.notification('followed', 'jonas', p_actor => 'lena'), tests.notification('to maya', 'maya', 'hub_post_created', 'amara', 'elm', 'trams');

select bag_eq($$ select tests.hears('jonas') $$, tests.ids('posted', 'role', 'followed'), 'what is unread and visible');
update app.notifications set read_at = app.now() where id = tests.id('role');
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('posted', 'followed'), 'not what was read');
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where user_id = tests.id('jonas');
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('followed'), 'nor of a Hub that was muted since');
select bag_eq($$ select tests.hears('maya') $$, tests.ids('to maya'), 'others have muted nothing');
update app.notifications set read_at = null;
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('role', 'followed'), 'but of what a mute leaves');
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');
delete from app.hub_mutes;
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships where hub_id = tests.id('oak') and user_id = tests.id('jonas');
select bag_eq($$ select tests.hears('jonas') $$, tests.ids('posted', 'role', 'followed'), 'a mute of another Hub is that Hub''s');
select tests.block('lena', 'jonas');
delete from app.memberships where user_id = tests.id('jonas');
select is_empty($$ select tests.hears('jonas') $$, 'nor what is hidden');

select * from finish();
