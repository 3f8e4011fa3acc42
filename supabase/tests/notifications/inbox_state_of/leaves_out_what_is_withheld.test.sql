select plan(5);

select tests.elm();
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('of lena', 'jonas', p_actor => 'lena');
select tests.notification('read, of maya', 'jonas', p_actor => 'maya'), tests.notification('of a post of maya', 'jonas', p_actor => 'lena', p_author => 'maya');
select tests.notification('of maya in elm', 'jonas', 'hub_role_changed', 'maya', 'elm'), tests.notification('to lena', 'lena', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = tests.id('read, of maya');

select is(tests.unread('jonas'), 4, 'all that is unread');
select tests.block('maya', 'jonas');
select is(tests.unread('jonas'), 1, 'but what a block withholds');
delete from app.memberships where user_id = tests.id('jonas');
select is(tests.unread('jonas'), 1, 'what is hidden anyway is taken away once');
select is(tests.unread('lena'), 1, 'nothing of others is');
delete from app.blocks;
select tests.membership('elm', 'jonas');
select is(tests.unread('jonas'), 4, 'and when it has gone, all counts again');

select * from finish();
