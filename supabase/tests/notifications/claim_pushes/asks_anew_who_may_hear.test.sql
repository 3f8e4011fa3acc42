select plan(2);

select tests.elm();
select tests.device_token('phone', 'jonas'), tests.device_token('lent', 'jonas');
select tests.notification('due', 'jonas', p_actor => 'lena'), tests.notification('read', 'jonas', p_actor => 'lena'), tests.notification('blocked', 'jonas', p_actor => 'maya');
select tests.notification('muted', 'jonas', 'hub_post_created', 'amara', 'elm');
insert into app.pushes (notification_id, token_hash)
select id, tests.hash(token)
from unnest(tests.ids('due', 'read', 'blocked', 'muted', 'gone')) as id cross join unnest(array['phone', 'lent', 'removed']) as token
where id = tests.id('due') or token = 'phone';
update app.notifications set read_at = app.now() where id = tests.id('read');
select tests.block('maya', 'jonas');
insert into app.hub_mutes (hub_id, user_id) select hub_id, user_id from app.memberships;
update app.device_tokens set user_id = tests.id('lena') where token_hash = tests.hash('lent');

select bag_eq(
  'select notification_id, token_hash from tests.claims(10)', $$ values (tests.id('due'), tests.hash('phone')) $$,
  'what is due is for a device of the recipient''s'
);
select bag_eq('select notification_id, token_hash from app.pushes', $$ values (tests.id('due'), tests.hash('phone')) $$, 'all else is let go of');

select * from finish();
