select plan(6);

select tests.elm();
select tests.post('closed', 'amara', 'private_locked_hub');
select tests.placed('closed', 'elm');
delete from app.events;
select tests.notification('for anybody', 'jonas', p_actor => 'maya'), tests.notification('for hub-ready', 'jonas', 'hub_member_removed', 'amara', 'elm');
select tests.notification('for members', 'jonas', 'hub_role_changed', 'amara', 'elm'), tests.notification('for targets', 'jonas', 'post_reposted', 'amara', p_post => 'closed');
select tests.notification('for nobody', 'jonas', 'hub_post_created', 'amara');
select tests.notification('to maya', 'maya', 'hub_role_changed', 'amara', 'elm');
create function pg_temp.visible()
returns setof uuid
language sql
as $$ select id from app.visible_notifications where recipient_id = tests.id('jonas') $$;

select bag_eq('select pg_temp.visible()', tests.ids('for anybody', 'for hub-ready', 'for members', 'for targets'), 'a member sees all but what is malformed');
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for anybody', 'for hub-ready'), 'who left nothing of the Hub');
select tests.membership('elm', 'jonas');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for anybody'), 'who is not Hub-ready nothing of any');
update app.users set contacts_synced_at = app.now() where id = tests.id('jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for anybody', 'for hub-ready', 'for members', 'for targets'), 'who comes back all of it');
select tests.block('maya', 'jonas');
select bag_eq('select pg_temp.visible()', tests.ids('for hub-ready', 'for members', 'for targets'), 'and what a block withholds nobody');
select bag_eq('select id from app.visible_notifications where recipient_id = tests.id(''maya'')', tests.ids('to maya'), 'each their own');

select * from finish();
