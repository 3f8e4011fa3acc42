select plan(6);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.person('silent');
select tests.post('trams', 'maya');
insert into app.default_feed_users (user_id) values (tests.id('ann'));
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'silent');
select tests.follow('jonas', 'lena');
select tests.follow('lena', 'maya');
select tests.follow('lena', 'ann');

create function pg_temp.sources()
returns setof text
language sql
as $$ select p.username || ': ' || s.context from app.home_feed_sources() as s join app.profiles as p on p.user_id = s.author_id $$;

select tests.act_as('maya');
select set_eq(
  'select pg_temp.sources()', array['maya: own_post', 'jonas: followed_author', 'silent: followed_author'], 'one''s own, and those of whom one follows'
);
select tests.act_as('jonas');
select set_eq('select pg_temp.sources()', array['lena: followed_author'], 'who has not posted follows');
select tests.act_as('lena');
select set_eq(
  'select pg_temp.sources()', array['maya: followed_author', 'ann: followed_author'], 'a default feed user who is followed is that'
);
select api.block_user(tests.user('maya'));
select api.unfollow_user(tests.user('ann'));
select set_eq('select pg_temp.sources()', array['ann: default_feed_user'], 'who follows nobody any more is back at the default');
select tests.act_as_guest();
select set_eq('select pg_temp.sources()', array['ann: default_feed_user'], 'as is a guest');
reset role;
update app.follows set is_muted = true;
select tests.act_as('jonas');
select set_eq('select pg_temp.sources()', array['lena: followed_author'], 'muted are alerts, not posts');

select * from finish();
