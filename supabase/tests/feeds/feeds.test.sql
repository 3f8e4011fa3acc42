begin;
select plan(109);
savepoint empty;

-- decode_feed_cursor: begins at the top
select app.set_clock_offset('1 hour');
select is(
  app.decode_feed_cursor(null, 'home')::text,
  ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot(), 'recent', left(md5('home'), 8))::app.feed_position::text,
  'without a cursor a walk begins now, with what is committed'
);
select is((app.decode_feed_cursor(null, 'home', 'trending')).part, 'active', 'a trending feed begins with the active part');
select set_eq($$ select tests.who_may('select app.decode_feed_cursor(null, ''home'')') $$, array['anon', 'authenticated'], 'whoever reads feeds');

rollback to empty;

-- decode_feed_cursor: refuses what no feed gave
create function pg_temp.cursor(p_part text default 'recent', p_feed text default 'home')
returns text
language sql
stable
return app.encode_feed_cursor(('2026-01-01', tests.id('trams'), app.now(), '10:20:12', p_part, left(md5(p_feed), 8))::app.feed_position);

create function pg_temp.refusal(p_cursor text)
returns text
language sql
return tests.error_of(format('select app.decode_feed_cursor(%L, ''home'')', p_cursor)) ->> 'code';

select is(pg_temp.refusal(pg_temp.cursor()), null, 'a cursor of a feed is one');
select is(pg_temp.refusal(''), 'VALIDATION_FAILED', 'nothing is none');
select is(pg_temp.refusal('2026-11-21'), 'VALIDATION_FAILED', 'a date is none');
select is(pg_temp.refusal(left(pg_temp.cursor(), 32)), 'VALIDATION_FAILED', 'that of another list is none');
select is(pg_temp.refusal(left(pg_temp.cursor(), 45)), 'VALIDATION_FAILED', 'one that is cut in its time');
select is(pg_temp.refusal(left(pg_temp.cursor(), n)), 'VALIDATION_FAILED', 'a cursor cut after ' || n || ' characters is refused')
from unnest(array[46, 55]) as n;
select is(
  array(
    select format('%s %s as %s: %s', part, feed, sort, tests.error_of(format('select app.decode_feed_cursor(%L, ''home'', %L)', pg_temp.cursor(part, feed), sort)) ->> 'code')
    from unnest(array['recent', 'active', 'quiet']) as part, unnest(array['home', 'elm']) as feed, unnest(array['recent', 'trending']) as sort
    where tests.error_of(format('select app.decode_feed_cursor(%L, ''home'', %L)', pg_temp.cursor(part, feed), sort)) is null
  ),
  array['recent home as recent: ', 'active home as trending: ', 'quiet home as trending: '], 'a cursor of another feed or sort is refused'
);
select is(pg_temp.refusal(overlay(pg_temp.cursor() placing 'g' from 33)), 'VALIDATION_FAILED', 'one with another letter in its time');
select is(pg_temp.refusal(overlay(pg_temp.cursor() placing '+' from 1)), 'VALIDATION_FAILED', 'or in its place');
select is(pg_temp.refusal(pg_temp.cursor() || 'x'), 'VALIDATION_FAILED', 'one that goes on');
select is(pg_temp.refusal(left(pg_temp.cursor(), 55) || '20.10.'), 'VALIDATION_FAILED', 'one that has seen the impossible');
select is(
  array(
    select forged
    from unnest(array[
      overlay(pg_temp.cursor() placing repeat('f', 14) from 33), overlay(pg_temp.cursor() placing repeat('0', 14) from 33),
      overlay(pg_temp.cursor() placing repeat('_', 32) || repeat('f', 14) from 1),
      overlay(left(pg_temp.cursor(), 55) placing repeat('-', 32) || repeat('9', 14) from 1) || '1.9223372036854775807.',
      left(pg_temp.cursor(), 55) || '99999999999999999999.99999999999999999999.'
    ]) as forged
    where pg_temp.refusal(forged) is not null
  ),
  '{}', 'a forged one of the right form is some place in the feed and never a failure'
);
select is(
  tests.error_of($$ select app.decode_feed_cursor('x', 'home') $$) -> 'details',
  '{"issues": [{"path": ["cursor"], "code": "invalid_cursor", "message": "Not a cursor of this list."}]}', 'the refusal names the parameter'
);

rollback to empty;

-- encode_feed_cursor: keeps all of it
create table pg_temp.places (place app.feed_position);
insert into pg_temp.places
values
  (('2026-01-01 00:00:00.123456Z', tests.id('trams'), '2026-01-02 00:00:00.654321Z', '10:20:12,15', 'recent', left(md5('home'), 8))::app.feed_position),
  (('1970-01-01Z', '00000000-0000-0000-0000-000000000000', '1970-01-01Z', '1:1:', 'active', left(md5('home'), 8))::app.feed_position),
  (('2200-12-31 23:59:59.999999Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2200-12-31 23:59:59.999999Z', '4294967300:9223372036854775806:4294967307', 'quiet', left(md5('home'), 8))::app.feed_position);
select is(app.decode_feed_cursor(app.encode_feed_cursor(place), 'home', case (place).part when 'recent' then 'recent' else 'trending' end)::text, place::text, place::text) from pg_temp.places;
select is_empty('select from pg_temp.places where app.encode_feed_cursor(place) !~ ''^[A-Za-z0-9._-]+$''', 'in letters that stand in an address');
select set_eq($$ select tests.who_may('select app.encode_feed_cursor(null)') $$, array['anon', 'authenticated'], 'whoever reads feeds');

rollback to empty;

-- feed: is of ones sources else the default
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

select tests.authenticate_as_guest();
select set_eq(
  'select pg_temp.feed()', array['of ann: default_feed_user', 'of maya: default_feed_user'], 'a guest gets the default feed users'
);
select tests.authenticate_as('anonymous');
select set_eq('select pg_temp.feed()', array['of ann: default_feed_user', 'of maya: default_feed_user'], 'and so does who never did anything');
select tests.authenticate_as('jonas');
select set_eq('select pg_temp.feed()', array['of jonas: own_post'], 'an author gets their own posts');
select tests.authenticate_as('ann');
select set_eq('select pg_temp.feed()', array['of ann: own_post'], 'for which they are no default');
select tests.authenticate_as('maya');
select set_eq('select pg_temp.feed()', array['of maya: own_post', 'of jonas: followed_author'], 'and those of whom they follow');
select tests.authenticate_as('lena');
select set_eq(
  'select pg_temp.feed()', array['of maya: followed_author', 'of ann: followed_author'], 'a default feed user who is followed is that'
);
reset role;
update app.follows set is_muted = true;
select tests.authenticate_as('lena');
select set_eq('select pg_temp.feed()', array['of maya: followed_author', 'of ann: followed_author'], 'muted are alerts, not posts');
select api.block_user(tests.user('maya'));
select set_eq('select pg_temp.feed()', array['of ann: followed_author'], 'a block ends a source');
select api.unfollow_user(tests.user('ann'));
select set_eq('select pg_temp.feed()', array['of ann: default_feed_user'], 'who follows nobody any more is back at the default');

rollback to empty;

-- feed: is trending for a week
select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id(name), tests.id('jonas'), name, 'public', app.now() - age::interval
from (values ('trams', '6 days'), ('bikes', '10 minutes'), ('cars', '80 days'), ('feet', '8 days'), ('boats', '9 days')) as made (name, age);
-- Boats drew more than any other, but not in the last seven days.
insert into app.trending_scores (post_id, score, active_at)
select tests.id(name), app.now() - score::interval, app.now() - active::interval
from (values ('trams', '1 hour', '2 hours'), ('cars', '2 hours', '6 days 23:59:59'), ('boats', '30 minutes', '7 days')) as drew (name, score, active);

create function pg_temp.feed(p_args jsonb)
returns text[]
language sql
return tests.thoughts(tests.listed(app.feed(p_args)));
create function pg_temp.walk(p_args jsonb)
returns text[]
language plpgsql
as $$
declare
  v_page jsonb := app.feed(p_args);
  v_walked text[] := tests.thoughts(tests.listed(v_page));
begin
  while v_page ->> 'nextCursor' is not null loop
    v_page := app.feed(p_args || jsonb_build_object('cursor', v_page ->> 'nextCursor'));
    v_walked := v_walked || tests.thoughts(tests.listed(v_page));
  end loop;
  return v_walked;
end
$$;

select tests.authenticate_as('maya');
select is(pg_temp.feed('{"sort": "trending"}'), array['trams', 'cars', 'bikes', 'feet', 'boats'], 'what had activity in the last seven days by score, however old, then the rest, newest first');
select is(
  array(select distinct pg_temp.walk(jsonb_build_object('sort', 'trending', 'limit', n)) from generate_series(1, 6) as n),
  array[array['trams', 'cars', 'bikes', 'feet', 'boats']], 'from page to page, of any size'
);
select is(pg_temp.feed('{"sort": "recent"}'), array['bikes', 'trams', 'feet', 'boats', 'cars'], 'recent is the newest first');
select is(pg_temp.feed('{}'), pg_temp.feed('{"sort": "recent"}'), 'recent is the default');
reset role;
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select tests.authenticate_as_guest();
select is(pg_temp.walk('{"sort": "trending", "limit": 2}'), array['trams', 'cars', 'bikes', 'feet', 'boats'], 'the default feed trends likewise');
reset role;
select tests.placed(name, 'elm', app.now() - age::interval)
from (values ('cars', '2 days'), ('feet', '1 hour'), ('boats', '9 hours')) as placed (name, age);
select tests.authenticate_as('maya');
select is(pg_temp.walk(tests.in_hub('elm', '{"sort": "trending", "limit": 2}')), array['cars', 'feet', 'boats'], 'and so does the feed of a Hub');
select is(
  app.feed(tests.in_hub('elm', '{"sort": "trending"}')) #>> '{items,0,feedContext}', 'joined_hub_post', 'for the reasons of the Hub'
);
select is(
  (
    select array_agg(distinct item ->> 'feedContext')
    from jsonb_array_elements(app.feed('{"sort": "trending"}') -> 'items') as item
  ),
  array['hub_co_member_author'], 'the reasons are those of the recent feed'
);

rollback to empty;

-- feed_page: is of cards
select tests.person(name) from unnest(array['maya', 'lena']) as name;
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('locked', 'lena', 'private_locked_hub');
create temporary table listed as
select array[tests.entry('bikes', tests.ago(1)), tests.entry('trams', tests.ago(2)), tests.entry('cars', tests.ago(3))] as entries;
grant select on listed to authenticated;

create function pg_temp.page(p_limit integer, p_contexts text[] default null, p_part text default 'recent')
returns jsonb
language sql
return app.feed_page((select l.entries from listed as l), p_contexts, ('infinity', tests.id('none'), tests.ago(9), '10:20:12', p_part, left(md5('home'), 8))::app.feed_position, p_limit);

select tests.authenticate_as('maya');
select is(tests.listed(pg_temp.page(3)), tests.ids('bikes', 'trams', 'cars'), 'in the order of its entries');
select is(pg_temp.page(3) -> 'nextCursor', 'null', 'the last has no next');
select is(tests.listed(pg_temp.page(2)), tests.ids('bikes', 'trams'), 'of so many');
select is(
  app.decode_feed_cursor(pg_temp.page(2) ->> 'nextCursor', 'home')::text, (tests.ago(2), tests.id('trams'), tests.ago(9), '10:20:12', 'recent', left(md5('home'), 8))::app.feed_position::text,
  'the next begins behind the last of it, in the same walk'
);
select is(
  (app.decode_feed_cursor(pg_temp.page(2, null, 'active') ->> 'nextCursor', 'home', 'trending')).part, 'quiet', 'behind an entry with an event a trending feed goes on in its quiet part'
);
select is(pg_temp.page(2) #> '{items,0}', (select c.card from app.post_cards(tests.ids('bikes')) as c), 'each is its card');
select is(
  pg_temp.page(3, array['own_post', 'shared_to_hub', 'followed_author']) #> '{items,1}',
  (select c.card || '{"feedContext": "shared_to_hub"}' from app.post_cards(tests.ids('trams')) as c), 'with why it is there, if that is given'
);
select is(
  app.feed_page('{}', null, tests.behind(), 2), '{"items": [], "nextCursor": null}', 'without entries it is empty'
);
select is(
  tests.listed(app.feed_page(array[tests.entry('locked'), tests.entry('cars')], null, tests.behind(), 2)), tests.ids('cars'), 'of what one may not see there is no card'
);
reset role;
select set_eq(
  $$ select tests.who_may('select app.feed_page(''{}'', null, tests.behind(), 1)') $$, array['anon', 'authenticated'], 'whoever reads feeds'
);

rollback to empty;

-- get_home_feed: bounds a page by itself
-- The Data API reaches this operation without the service.
select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility) select tests.id('maya'), n, 'public' from generate_series(1, 51) as n;

select tests.authenticate_as_guest();
select is(jsonb_array_length(api.get_home_feed('{"limit": 50}') -> 'items'), 50, 'a page has 50 posts at most');
select throws_ok($$ select api.get_home_feed('{"limit": 51}') $$, 'PT422', 'VALIDATION_FAILED', 'and refuses more');
select is(jsonb_array_length(api.get_home_feed('{}') -> 'items'), 20, 'without a limit it has 20');

rollback to empty;

-- get_home_feed: hides departed authors
select tests.person('maya', 3);
select tests.person('jonas', 2);
select tests.post('trams', 'maya');
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.account_deletions (user_id) values (tests.id('maya'));

create function pg_temp.feed()
returns jsonb
language sql
return jsonb_path_query_array(api.get_home_feed('{}'), '$.items[*].thoughtText');

select tests.authenticate_as_guest();
select is(pg_temp.feed(), '[]', 'whoever reads a departed author sees nothing of theirs');
select tests.authenticate_as('jonas');
select is(pg_temp.feed(), '[]', 'members neither');
reset role;
delete from app.account_deletions;
select tests.authenticate_as('jonas');
select is(pg_temp.feed(), '["trams"]', 'it is the departure that hides it');

rollback to empty;

-- get_home_feed: hides what the viewer may not see
select tests.person('maya', 4);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('maya'), 'older', 'public', app.now() - interval '2 hours'),
  (tests.id('maya'), 'locked', 'private_locked_hub', app.now() - interval '1 hour'),
  (tests.id('maya'), 'newer', 'public', app.now());

select tests.authenticate_as_guest();
create temporary table feeds as select api.get_home_feed('{"limit": 2}') as feed;
select is(jsonb_path_query_array(feed, '$.items[*].thoughtText'), '["newer", "older"]', 'a hidden post leaves no gap in the page') from feeds;
select is(feed -> 'nextCursor', 'null', 'and is no reason for another') from feeds;

rollback to empty;

-- get_home_feed: is empty without sources
select tests.authenticate_as_guest();
select is(api.get_home_feed('{"limit": 20}'), '{"items": [], "nextCursor": null}', 'nothing is an empty page');

rollback to empty;

-- get_home_feed: is newest first
select tests.person('maya', 3);
select tests.person('amara', 3);
select tests.person('jonas', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya')), (tests.id('amara'));
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('maya'), 'oldest', 'public', app.now() - interval '3 hours'),
  (tests.id('amara'), 'middle', 'public', app.now() - interval '2 hours'),
  (tests.id('jonas'), 'of no default feed user', 'public', app.now() - interval '90 minutes'),
  (tests.id('maya'), 'newest', 'public', app.now() - interval '1 hour');

select tests.authenticate_as_guest();
create temporary table feeds as select api.get_home_feed('{"limit": 20}') as feed;
select is(
  jsonb_path_query_array(feed, '$.items[*].thoughtText'), '["newest", "middle", "oldest"]', 'posts of the default feed users, newest first'
)
from feeds;
select is(
  jsonb_path_query_array(feed, '$.items[*].feedContext') - 'default_feed_user', '[]', 'each card says why it is there'
)
from feeds;
select is(feed -> 'nextCursor', 'null', 'there is no more') from feeds;

rollback to empty;

-- get_home_feed: of a hub is for its members
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select is(
  tests.refusals('get_home_feed', tests.in_hub('elm')),
  '{"guest": "FORBIDDEN", "signed out": "UNAUTHORIZED", "nina": "FORBIDDEN", "lena": "FORBIDDEN"}', 'everybody else is refused'
);
select is(
  tests.refusals('get_home_feed', tests.in_hub('ash')) - 'signed out', tests.everybody('FORBIDDEN') - 'signed out' || '{"guest": "FORBIDDEN", "nina": "FORBIDDEN"}',
  'as is everybody from a Hub that is none'
);
select is(tests.refusals('get_home_feed', '{"hubId": null}'), '{"signed out": "UNAUTHORIZED"}', 'without a Hub everybody gets a feed, but an ended session');
select tests.authenticate_as('lena');
select throws_ok($$ select api.get_home_feed(tests.in_hub('elm')) $$, 'PT403', 'FORBIDDEN', 'which is no error of theirs');
select tests.authenticate_as('maya');
select is(tests.listed(api.get_home_feed(tests.in_hub('elm'))), tests.ids('trams'), 'members read it');
reset role;
select results_eq('select user_id from app.memberships where seen_at is not null', tests.ids('maya'), 'and have used the Hub by that');

rollback to empty;

-- get_home_feed: pages without gap or repetition
select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility, created_at)
select tests.id('maya'), n, 'public', app.now() - interval '1 microsecond' * (n / 2) from generate_series(1, 5) as n;

create function pg_temp.page(p_cursor text)
returns jsonb
language sql
return api.get_home_feed(jsonb_build_object('limit', 2, 'cursor', p_cursor));

select tests.authenticate_as_guest();
create temporary table pages as select 1 as page, pg_temp.page(null) as feed;
insert into pages select 2, pg_temp.page(feed ->> 'nextCursor') from pages where page = 1;
insert into pages select 3, pg_temp.page(feed ->> 'nextCursor') from pages where page = 2;

select results_eq(
  $$ select jsonb_array_length(feed -> 'items') from pages order by page $$, array[2, 2, 1], 'pages are full but for the last'
);
select results_eq(
  $$ select (item ->> 'id')::uuid from pages, jsonb_array_elements(feed -> 'items') with ordinality as i (item, place) order by page, place $$,
  $$ select id from app.posts order by created_at desc, id desc $$,
  'each post comes once and in order, also of those of one moment'
);
select results_eq($$ select feed -> 'nextCursor' = 'null' from pages order by page $$, array[false, false, true], 'the last has no next');

reset role;
insert into app.posts (author_id, thought_text, visibility, created_at) values (tests.id('maya'), 'new', 'public', app.now());
delete from app.posts where id = (select (feed #>> '{items,1,id}')::uuid from pages where page = 1);
select tests.authenticate_as_guest();
select is(pg_temp.page(p1.feed ->> 'nextCursor'), p2.feed, 'a new post and a deleted one move no page')
from pages as p1, pages as p2
where p1.page = 1 and p2.page = 2;
select is(
  api.get_home_feed('{"limit": 5}') -> 'nextCursor', 'null', 'a page that is just full is the last where no more follows'
);

rollback to empty;

-- get_home_feed: refuses a foreign cursor
select tests.authenticate_as_guest();
select throws_ok(
  $$ select api.get_home_feed('{"limit": 20, "cursor": "page 2"}') $$, 'PT422', 'VALIDATION_FAILED', 'a cursor is one that a page gave'
);

rollback to empty;

-- get_home_feed: shows an author their own
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.post('trams', 'maya');
select tests.post('bikes', 'jonas');
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select tests.authenticate_as('jonas');
select is(
  (select jsonb_agg(jsonb_build_array(item ->> 'thoughtText', item ->> 'feedContext'))
    from jsonb_array_elements(api.get_home_feed('{"limit": 20}') -> 'items') as item),
  '[["bikes", "own_post"]]', 'who has posts of their own sees them'
);

rollback to empty;

-- get_home_feed: shows whom one follows
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

select tests.authenticate_as('maya');
select is(
  pg_temp.feed(), array['new of Jonas: followed_author', 'of Maya: own_post', 'old of Jonas: followed_author'],
  'in the order of time, with why each is there; what is locked is not shown for being followed'
);
reset role;
update app.posts set created_at = '2026-01-01';
select tests.authenticate_as('maya');
select is(
  pg_temp.feed('{"limit": 2}') || pg_temp.feed(jsonb_build_object('limit', 2, 'cursor', api.get_home_feed('{"limit": 2}') ->> 'nextCursor')),
  pg_temp.feed(), 'pages hold each once, of whoever it is'
);
select tests.authenticate_as('jonas');
select api.block_user(tests.user('maya'));
select tests.authenticate_as('maya');
select is(pg_temp.feed(), array['of Maya: own_post'], 'after a block there is nothing of who made it');
reset role;
delete from app.posts where author_id = tests.id('maya');
select tests.block('ann', 'maya');
select tests.authenticate_as('maya');
select is(pg_temp.feed(), '{}', 'not even of a default feed user');

rollback to empty;

-- get_hub_feed: is for members
select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 21) as n;
select is(tests.refusals('get_hub_feed', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'an outsider reads none');
select is(tests.refusals('get_hub_feed', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is any');
select tests.authenticate_as('maya');
select is(cardinality(tests.listed(api.get_hub_feed(tests.in_hub('elm')))), 20, 'a page has 20');
select is(cardinality(tests.listed(api.get_hub_feed(tests.in_hub('elm', '{"limit": 50}')))), 21, 'or up to 50');
select is(tests.refusal('get_hub_feed', tests.in_hub('elm', '{"limit": 51}')), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('get_hub_feed', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'it follows no foreign cursor');
reset role;
select results_eq('select user_id from app.memberships where seen_at is not null', tests.ids('maya'), 'whoever reads has used the Hub');

rollback to empty;

-- get_profile_feed: is of somebody who is there
select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id('post ' || n), tests.id('maya'), n, 'public', tests.ago(n) from generate_series(1, 21) as n;
select tests.post('of jonas', 'jonas');
select tests.feed_share('maya', 'of jonas', tests.ago(0));

create function pg_temp.feed(p_args jsonb default '{}', p_name text default 'maya')
returns text[]
language sql
return tests.thoughts(tests.listed(api.get_profile_feed(tests.user(p_name) || p_args)));

select tests.authenticate_as_guest();
select is((pg_temp.feed())[:3], array['of jonas', '1', '2'], 'what they published and shared, the newest first');
select is(cardinality(pg_temp.feed()), 20, 'twenty on a page');
select is(cardinality(pg_temp.feed('{"limit": 50}')), 22, 'or up to fifty');
select is(tests.refusal('get_profile_feed', tests.user('maya') || '{"limit": 51}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('get_profile_feed', tests.user('maya') || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(
  pg_temp.feed(jsonb_build_object('limit', 50, 'cursor', api.get_profile_feed(tests.user('maya')) ->> 'nextCursor')), (pg_temp.feed('{"limit": 50}'))[21:], 'but its own'
);
select is_empty(
  $$ select from jsonb_array_elements(api.get_profile_feed(tests.user('maya')) -> 'items') as item where item ? 'feedContext' $$, 'without reasons'
);
select is(pg_temp.feed(p_name => 'lena'), '{}', 'of somebody who has nothing, it is empty');
select is(tests.refusal('get_profile_feed', tests.user('nobody')), 'USER_NOT_FOUND', 'of nobody there is none');
reset role;
select tests.block('maya', 'jonas');
select tests.authenticate_as('jonas');
select is(tests.refusal('get_profile_feed', tests.user('maya')), 'USER_NOT_FOUND', 'nor of who has blocked one');
reset role;
select app.end_user(tests.id('maya'));
select tests.authenticate_as_guest();
select is(tests.refusal('get_profile_feed', tests.user('maya')), 'USER_NOT_FOUND', 'nor of who has left');

rollback to empty;

-- has_sources: is to follow join or publish
select tests.elm();
select tests.person(name) from unnest(array['ann', 'ben', 'cleo', 'dora']) as name;
select tests.follow('ann', 'lena');
select tests.post('locked', 'ben', 'private_locked_hub');
select tests.follow('jonas', 'cleo');
select tests.post('trams', 'lena');

create function pg_temp.has_sources(p_name text)
returns boolean
language plpgsql
as $$
declare
  v_has_sources boolean;
begin
  perform tests.authenticate_as(p_name);
  v_has_sources := app.has_sources();
  perform set_config('role', 'none', true);
  return v_has_sources;
end
$$;

select ok(pg_temp.has_sources('ann'), 'who follows somebody');
select ok(pg_temp.has_sources('maya'), 'who is in a Hub');
select ok(pg_temp.has_sources('ben'), 'who has published anything at all');
select ok(not pg_temp.has_sources('cleo'), 'not who is followed');
select ok(not pg_temp.has_sources('dora'), 'nor who has done nothing');
select tests.authenticate_as_guest();
select ok(not app.has_sources(), 'nor a guest');
reset role;
select set_eq('select tests.who_may(''select app.has_sources()'')', array['anon', 'authenticated'], 'it is asked for each of them');

rollback to empty;

-- my_sources: are followed and joined
select tests.elm();
select tests.hub('ash', 'lena');
select tests.hub('oak', 'jonas');
select tests.membership('ash', 'jonas');
select tests.follow('jonas', 'lena');
select tests.follow('jonas', 'maya');
select tests.follow('lena', 'amara');
select tests.follow('amara', 'jonas');
select tests.authenticate_as('jonas');
select set_eq('select source_id from app.my_sources', tests.ids('lena', 'maya', 'elm', 'ash', 'oak'), 'whom one follows and the Hubs one is in');
select tests.authenticate_as('lena');
select set_eq('select source_id from app.my_sources', tests.ids('amara', 'ash'), 'nobody else''s');
reset role;
delete from app.memberships where hub_id = tests.id('ash') and user_id = tests.id('jonas');
delete from app.follows where followee_id = tests.id('lena');
select tests.authenticate_as('jonas');
select set_eq('select source_id from app.my_sources', tests.ids('maya', 'elm', 'oak'), 'now');
select api.block_user(tests.user('maya'));
select set_eq('select source_id from app.my_sources', tests.ids('elm', 'oak'), 'a block ends it');
select tests.authenticate_as_guest();
select throws_ok('select from app.my_sources', '42501', null, 'a guest has none');
reset role;
select set_eq($$ select tests.who_may('select from app.my_sources') $$, array['authenticated'], 'it is the caller''s own');

select * from finish();
rollback;
