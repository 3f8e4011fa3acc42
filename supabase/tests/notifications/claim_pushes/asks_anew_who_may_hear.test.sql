select plan(4);

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
update app.memberships set is_muted = true;
update app.device_tokens set user_id = tests.id('lena') where token_hash = tests.hash('lent');
create temporary table claims as select * from app.claim_pushes(10);

select bag_eq('select notification_id, token_hash from claims where platform is not null', $$ values (tests.id('due'), tests.hash('phone')) $$, 'what is due, for a device of the recipient''s');
select is_empty('select from claims where (platform is null) <> (sealed_token is null)', 'where there is none there is no token');
select bag_eq(
  'select notification_id, token_hash from claims where platform is null',
  $$
    values
      (tests.id('due'), tests.hash('lent')), (tests.id('due'), tests.hash('removed')), (tests.id('read'), tests.hash('phone')),
      (tests.id('blocked'), tests.hash('phone')), (tests.id('muted'), tests.hash('phone')), (tests.id('gone'), tests.hash('phone'))
  $$,
  'all else is to be dropped'
);
select is_empty('select from claims where notification_id <> tests.id(''due'') and envelope is not null', 'and says nothing');

select * from finish();
