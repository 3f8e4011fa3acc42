select plan(9);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.person('silent');
select tests.person('anonymous', 1);
select tests.post('of ' || name, name) from unnest(array['maya', 'jonas', 'ann']) as name;
insert into app.default_feed_users (user_id) select tests.id(name) from unnest(array['ann', 'maya']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'silent');
select tests.follow('lena', 'maya');
select tests.follow('lena', 'ann');

create function pg_temp.feed()
returns setof text
language sql
as $$
  select item ->> 'thoughtText' || ': ' || (item ->> 'feedContext') from jsonb_array_elements(app.feed('{}') -> 'items') as item
$$;

select tests.act_as_guest();
select set_eq(
  'select pg_temp.feed()', array['of ann: default_feed_user', 'of maya: default_feed_user'], 'a guest gets the default feed users'
);
select tests.act_as('anonymous');
select set_eq('select pg_temp.feed()', array['of ann: default_feed_user', 'of maya: default_feed_user'], 'and so does who never did anything');
select tests.act_as('jonas');
select set_eq('select pg_temp.feed()', array['of jonas: own_post'], 'an author gets their own posts');
select tests.act_as('ann');
select set_eq('select pg_temp.feed()', array['of ann: own_post'], 'for which they are no default');
select tests.act_as('maya');
select set_eq('select pg_temp.feed()', array['of maya: own_post', 'of jonas: followed_author'], 'and those of whom they follow');
select tests.act_as('lena');
select set_eq(
  'select pg_temp.feed()', array['of maya: followed_author', 'of ann: followed_author'], 'a default feed user who is followed is that'
);
reset role;
update app.follows set is_muted = true;
select tests.act_as('lena');
select set_eq('select pg_temp.feed()', array['of maya: followed_author', 'of ann: followed_author'], 'muted are alerts, not posts');
select api.block_user(tests.user('maya'));
select set_eq('select pg_temp.feed()', array['of ann: followed_author'], 'a block ends a source');
select api.unfollow_user(tests.user('ann'));
select set_eq('select pg_temp.feed()', array['of ann: default_feed_user'], 'who follows nobody any more is back at the default');

select * from finish();
