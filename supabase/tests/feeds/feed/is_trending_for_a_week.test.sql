select plan(9);

select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id(name), tests.id('jonas'), name, 'public', app.now() - age::interval
from (values ('trams', '6 days'), ('bikes', '10 minutes'), ('cars', '8 days'), ('feet', '8 days')) as made (name, age);
update app.posts set trending_at = app.now() - heat::interval
from (values ('trams', '1 hour'), ('bikes', '2 hours'), ('cars', '0'), ('feet', '3 hours')) as made (name, heat) where id = tests.id(name);
delete from app.warmings;
select tests.did('commented', 'amara', 'feet', app.now() - interval '7 days' + interval '1 second');

create function pg_temp.feed(p_args jsonb)
returns text[]
language sql
return tests.thoughts(tests.listed(app.feed(p_args)));

select tests.act_as('maya');
select is(pg_temp.feed('{"sort": "trending"}'), array['trams', 'bikes', 'feet'], 'the warmest of what has its place in the last seven days');
select is(
  pg_temp.feed('{"sort": "trending", "limit": 1}') || pg_temp.feed(jsonb_build_object('sort', 'trending', 'cursor', app.feed('{"sort": "trending", "limit": 1}') ->> 'nextCursor')),
  array['trams', 'bikes', 'feet'], 'from page to page'
);
select is(pg_temp.feed('{"sort": "recent"}'), array['bikes', 'trams', 'feet', 'cars'], 'else the newest of all');
select is(pg_temp.feed('{}'), pg_temp.feed('{"sort": "recent"}'), 'as without a word');
reset role;
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select tests.act_as_guest();
select is(pg_temp.feed('{"sort": "trending"}'), array['trams', 'bikes'], 'as is the default feed, where only publishing counts');
reset role;
select tests.placed(name, 'elm', app.now() - age::interval)
from (values ('cars', '2 days'), ('feet', '1 hour'), ('trams', '8 days')) as placed (name, age);
select tests.act_as('maya');
select is(pg_temp.feed(tests.in_hub('elm', '{"sort": "trending"}')), array['cars', 'feet'], 'and that of a Hub, by when it was placed there');
select is(
  app.feed(tests.in_hub('elm', '{"sort": "trending"}')) #>> '{items,0,feedContext}', 'joined_hub_post', 'for the reasons of the Hub'
);
select is(pg_temp.feed(tests.in_hub('elm')), array['feet', 'cars', 'trams'], 'whose newest are of all time');
select is(
  (
    select array_agg(distinct item ->> 'feedContext')
    from jsonb_array_elements(app.feed('{"sort": "trending"}') -> 'items') as item
  ),
  array['hub_co_member_author'], 'reasons are as in the newest'
);

select * from finish();
