select plan(6);

select tests.elm();
select tests.post('closed', 'amara', 'private_locked_hub');
select tests.placed('closed', 'elm');
delete from app.events;
select is(tests.unread('jonas'), 0, 'who was told nothing has nothing to read');
select tests.notification('for anybody', 'jonas', p_actor => 'maya'), tests.notification('for hub-ready', 'jonas', 'hub_member_removed', 'amara', 'elm');
select tests.notification('for members', 'jonas', 'hub_role_changed', 'amara', 'elm'), tests.notification('for members too', 'jonas', 'hub_post_created', 'amara', 'elm');
select tests.notification('for targets', 'jonas', 'post_reposted', 'amara', p_post => 'closed');
select tests.notification('for nobody', 'jonas', 'hub_post_created', 'amara');
select tests.notification('to maya', 'maya', 'hub_role_changed', 'amara', 'elm');

select is(tests.unread('jonas'), 5, 'all that is visible');
update app.notifications set read_at = app.now() where id = tests.id('for members');
select is(tests.unread('jonas'), 4, 'and unread');
delete from app.memberships where user_id = tests.id('jonas');
select is(tests.unread('jonas'), 2, 'nothing of Hubs that were left');
select tests.membership('elm', 'jonas');
select is(tests.unread('jonas'), 4, 'until somebody comes back');
select is(tests.unread('maya'), 1, 'each their own');

select * from finish();
