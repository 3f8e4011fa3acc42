select plan(4);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
insert into app.default_feed_users (user_id) values (tests.id('ann'));
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('jonas'), 'old of Jonas', 'public', app.now() - interval '3 hours'),
  (tests.id('maya'), 'of Maya', 'public', app.now() - interval '2 hours'),
  (tests.id('jonas'), 'new of Jonas', 'public', app.now() - interval '1 hour'),
  (tests.id('jonas'), 'locked of Jonas', 'private_locked_hub', app.now()),
  (tests.id('lena'), 'of Lena', 'public', app.now()),
  (tests.id('ann'), 'of Ann', 'public', app.now());
select tests.follow('maya', 'jonas');

create function pg_temp.feed(p_args jsonb default '{}')
returns text[]
language sql
return array(
  select item ->> 'thoughtText' || ': ' || (item ->> 'feedContext')
  from jsonb_array_elements(api.get_home_feed(p_args) -> 'items') with ordinality as listed (item, place)
  order by place
);

select tests.act_as('maya');
select is(
  pg_temp.feed(), array['new of Jonas: followed_author', 'of Maya: own_post', 'old of Jonas: followed_author'],
  'in the order of time, with why each is there; what is locked is not shown for being followed'
);
reset role;
update app.posts set created_at = '2026-01-01';
select tests.act_as('maya');
select is(
  pg_temp.feed('{"limit": 2}') || pg_temp.feed(jsonb_build_object('limit', 2, 'cursor', api.get_home_feed('{"limit": 2}') ->> 'nextCursor')),
  pg_temp.feed(), 'pages hold each once, of whoever it is'
);
select tests.act_as('jonas');
select api.block_user(tests.user('maya'));
select tests.act_as('maya');
select is(pg_temp.feed(), array['of Maya: own_post'], 'after a block there is nothing of who made it');
reset role;
delete from app.posts where author_id = tests.id('maya');
select tests.block('ann', 'maya');
select tests.act_as('maya');
select is(pg_temp.feed(), '{}', 'not even of a default feed user');

select * from finish();
