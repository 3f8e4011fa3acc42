begin;
select plan(103);
savepoint empty;

-- decode_feed_cursor starts at the top without a cursor, and accepts only cursors of the same feed and sort.
select app.set_clock_offset('1 hour');
select is(
  app.decode_feed_cursor(null, 'home')::text,
  (
    'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot(), 'recent', left(md5('home'), 8)
  )::app.feed_position::text,
  'without a cursor, pagination starts now with the current snapshot'
);
select is(
  (app.decode_feed_cursor(null, 'home', 'trending')).part, 'active',
  'without a cursor, a trending feed starts with its active part'
);

create function pg_temp.cursor(p_part text default 'recent', p_feed text default 'home')
returns text
language sql
stable
return app.encode_feed_cursor(
  ('2026-01-01', tests.id('trams'), app.now(), '10:20:12', p_part, left(md5(p_feed), 8))::app.feed_position
);

create function pg_temp.refusal(p_cursor text, p_sort text default 'recent')
returns text
language sql
return tests.error_of(format('select app.decode_feed_cursor(%L, ''home'', %L)', p_cursor, p_sort)) ->> 'code';

-- A cursor holds position (32 characters), start (14), part (1), feed (8) and snapshot.
select is(pg_temp.refusal(pg_temp.cursor()), null, 'a cursor of the same feed is valid');
select is(pg_temp.refusal(given.cursor), 'VALIDATION_FAILED', given.name || ' is no valid feed cursor')
from (
  values
    ('', 'an empty text'),
    ('2026-11-21', 'a date'),
    (left(pg_temp.cursor(), 32), 'a cursor of another list'),
    (left(pg_temp.cursor(), 45), 'a cursor cut within its start'),
    (left(pg_temp.cursor(), 46), 'a cursor cut after its start'),
    (left(pg_temp.cursor(), 55), 'a cursor cut before its snapshot'),
    (overlay(pg_temp.cursor() placing 'g' from 33), 'a cursor with a non-hex letter in its start'),
    (overlay(pg_temp.cursor() placing '+' from 1), 'a cursor with a foreign character in its position'),
    (pg_temp.cursor() || 'x', 'a cursor with a character too many'),
    (left(pg_temp.cursor(), 55) || '20.10.', 'a cursor with an impossible snapshot')
) as given (cursor, name);
select is(
  array(
    select format('%s %s as %s', part, feed, sort)
    from
      unnest(array['recent', 'active', 'quiet']) as part, unnest(array['home', 'elm']) as feed,
      unnest(array['recent', 'trending']) as sort
    where pg_temp.refusal(pg_temp.cursor(part, feed), sort) is null
  ),
  array['recent home as recent', 'active home as trending', 'quiet home as trending'],
  'a cursor of another feed or sort is refused'
);
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
  '{}', 'a forged feed cursor of the right form raises no error'
);
select is(
  tests.error_of($$ select app.decode_feed_cursor('x', 'home') $$) -> 'details',
  '{"issues": [{"path": ["cursor"], "code": "invalid_cursor", "message": "Not a cursor of this list."}]}',
  'the refusal of a feed cursor names the parameter'
);

rollback to empty;

-- encode_feed_cursor keeps every field of a position.
create temporary table positions as
select (at, id, began_at, seen, part, left(md5('home'), 8))::app.feed_position as position
from (
  values
    ('2026-01-01 00:00:00.123456Z'::timestamptz, tests.id('trams'), '2026-01-02 00:00:00.654321Z', '10:20:12,15', 'recent'),
    ('1970-01-01Z', '00000000-0000-0000-0000-000000000000', '1970-01-01Z', '1:1:', 'active'),
    (
      '2200-12-31 23:59:59.999999Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2200-12-31 23:59:59.999999Z',
      '4294967300:9223372036854775806:4294967307', 'quiet'
    )
) as given (at, id, began_at, seen, part);
select is(
  app.decode_feed_cursor(
    app.encode_feed_cursor(position), 'home', case (position).part when 'recent' then 'recent' else 'trending' end
  )::text,
  position::text, 'decode_feed_cursor returns the encoded position of ' || (position).at
)
from positions;
select is_empty(
  'select from positions where app.encode_feed_cursor(position) !~ ''^[A-Za-z0-9._-]+$''',
  'a feed cursor needs no escaping in a URL'
);

rollback to empty;

-- feed reads the caller's sources, or the default feed users for a caller without any.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.person('silent');
select tests.person('anonymous', 1);
select tests.post('of ' || name, name) from unnest(array['maya', 'jonas', 'ann']) as name;
insert into app.default_feed_users (user_id) select tests.id(name) from unnest(array['ann', 'maya']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'silent');
select tests.follow('lena', 'maya');
select tests.follow('lena', 'ann');

create function pg_temp.feed_of(p_caller text)
returns text[]
language plpgsql
as $$
declare
  v_feed text[];
begin
  perform case when p_caller is null then tests.authenticate_as_guest() else tests.authenticate_as(p_caller) end;
  v_feed := array(
    select item ->> 'thoughtText' || ': ' || (item ->> 'feedContext')
    from jsonb_array_elements(app.feed('{}') -> 'items') as item
    order by 1
  );
  perform set_config('role', 'none', true);
  return v_feed;
end
$$;

select is(pg_temp.feed_of(caller), expected, title)
from (
  values
    (null, array['of ann: default_feed_user', 'of maya: default_feed_user'], 'a guest gets posts of the default feed users'),
    (
      'anonymous', array['of ann: default_feed_user', 'of maya: default_feed_user'],
      'a user without sources gets posts of the default feed users'
    ),
    ('jonas', array['of jonas: own_post'], 'an author who follows nobody gets only their own posts'),
    ('ann', array['of ann: own_post'], 'a default feed user''s own posts have the context own_post'),
    (
      'maya', array['of jonas: followed_author', 'of maya: own_post'],
      'a follower gets their own posts and those of followed users'
    ),
    (
      'lena', array['of ann: followed_author', 'of maya: followed_author'],
      'a followed default feed user''s posts have the context followed_author'
    )
) as c (caller, expected, title);
update app.follows set is_muted = true;
select is(
  pg_temp.feed_of('lena'), array['of ann: followed_author', 'of maya: followed_author'],
  'the feed keeps posts of a followed user whose notifications are muted'
);
select tests.authenticate_as('lena');
select api.block_user(tests.user_args('maya'));
reset role;
select is(pg_temp.feed_of('lena'), array['of ann: followed_author'], 'the feed omits a followed user whom the caller blocks');
select tests.authenticate_as('lena');
select api.unfollow_user(tests.user_args('ann'));
reset role;
select is(
  pg_temp.feed_of('lena'), array['of ann: default_feed_user'], 'a caller who unfollows their last source gets the default feed'
);

rollback to empty;

-- feed ranks the activity of seven days in a trending feed, then lists the other posts.
select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id(name), tests.id('jonas'), name, 'public', app.now() - age::interval
from (
  values ('trams', '6 days'), ('bikes', '10 minutes'), ('cars', '80 days'), ('feet', '8 days'), ('boats', '9 days')
) as made (name, age);
-- Boats has the highest score, but no activity in the last seven days.
insert into app.trending_scores (post_id, score, active_at)
select tests.id(name), app.now() - score::interval, app.now() - active::interval
from (
  values ('trams', '1 hour', '2 hours'), ('cars', '2 hours', '6 days 23:59:59'), ('boats', '30 minutes', '7 days')
) as drew (name, score, active);

create function pg_temp.feed(p_args jsonb)
returns text[]
language sql
return tests.thoughts(tests.item_ids(app.feed(p_args)));
create function pg_temp.all_pages(p_args jsonb)
returns text[]
language plpgsql
as $$
declare
  v_page jsonb := app.feed(p_args);
  v_thoughts text[] := tests.thoughts(tests.item_ids(v_page));
begin
  while v_page ->> 'nextCursor' is not null loop
    v_page := app.feed(p_args || jsonb_build_object('cursor', v_page ->> 'nextCursor'));
    v_thoughts := v_thoughts || tests.thoughts(tests.item_ids(v_page));
  end loop;
  return v_thoughts;
end
$$;

select tests.authenticate_as('maya');
select is(
  pg_temp.feed('{"sort": "trending"}'), array['trams', 'cars', 'bikes', 'feet', 'boats'],
  'a trending feed ranks posts active within seven days before all others'
);
select is(
  array(select distinct pg_temp.all_pages(jsonb_build_object('sort', 'trending', 'limit', n)) from generate_series(1, 6) as n),
  array[array['trams', 'cars', 'bikes', 'feet', 'boats']],
  'a trending feed has the same order for every page size'
);
select is(
  pg_temp.feed('{"sort": "recent"}'), array['bikes', 'trams', 'feet', 'boats', 'cars'],
  'a recent feed lists the newest post first'
);
select is(pg_temp.feed('{}'), pg_temp.feed('{"sort": "recent"}'), 'a feed is recent without a sort argument');
reset role;
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select tests.authenticate_as_guest();
select is(
  pg_temp.all_pages('{"sort": "trending", "limit": 2}'), array['trams', 'cars', 'bikes', 'feet', 'boats'],
  'the default feed ranks posts active within seven days first'
);
reset role;
select tests.placement(name, 'elm', app.now() - age::interval)
from (values ('cars', '2 days'), ('feet', '1 hour'), ('boats', '9 hours')) as placed (name, age);
select tests.authenticate_as('maya');
select is(
  pg_temp.all_pages(tests.hub_args('elm', '{"sort": "trending", "limit": 2}')), array['cars', 'feet', 'boats'],
  'a Hub feed ranks posts active within seven days first'
);
select is(
  app.feed(tests.hub_args('elm', '{"sort": "trending"}')) #>> '{items,0,feedContext}', 'joined_hub_post',
  'a trending Hub feed has the contexts of the Hub feed'
);
select is(
  (
    select array_agg(distinct item ->> 'feedContext')
    from jsonb_array_elements(app.feed('{"sort": "trending"}') -> 'items') as item
  ),
  array['hub_co_member_author'], 'a trending home feed has the contexts of the recent feed'
);

rollback to empty;

-- feed_page turns entries into cards and the cursor of the next page.
select tests.person(name) from unnest(array['maya', 'lena']) as name;
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('locked', 'lena', 'private_locked_hub');
create temporary table listed as
select array[
  tests.feed_entry('bikes', tests.minutes_ago(1)), tests.feed_entry('trams', tests.minutes_ago(2)),
  tests.feed_entry('cars', tests.minutes_ago(3))
] as entries;
grant select on listed to authenticated;

create function pg_temp.page(p_limit integer, p_contexts text[] default null, p_part text default 'recent')
returns jsonb
language sql
return app.feed_page(
  (select l.entries from listed as l), p_contexts,
  ('infinity', tests.id('none'), tests.minutes_ago(9), '10:20:12', p_part, left(md5('home'), 8))::app.feed_position, p_limit
);

select tests.authenticate_as('maya');
select is(
  tests.item_ids(pg_temp.page(3)), tests.ids('bikes', 'trams', 'cars'), 'feed_page lists cards in the order of its entries'
);
select is(pg_temp.page(3) -> 'nextCursor', 'null', 'feed_page returns no cursor on the last page');
select is(tests.item_ids(pg_temp.page(2)), tests.ids('bikes', 'trams'), 'feed_page returns as many cards as requested');
select is(
  app.decode_feed_cursor(pg_temp.page(2) ->> 'nextCursor', 'home')::text,
  (
    tests.minutes_ago(2), tests.id('trams'), tests.minutes_ago(9), '10:20:12', 'recent', left(md5('home'), 8)
  )::app.feed_position::text,
  'the next cursor has the last card''s position and the first page''s start'
);
select is(
  (app.decode_feed_cursor(pg_temp.page(2, null, 'active') ->> 'nextCursor', 'home', 'trending')).part, 'quiet',
  'a trending feed''s next cursor is quiet after an entry with an event'
);
select is(
  pg_temp.page(2) #> '{items,0}', (select c.card from app.post_cards(tests.ids('bikes')) as c),
  'feed_page lists the card of a post'
);
select is(
  pg_temp.page(3, array['own_post', 'shared_to_hub', 'followed_author']) #> '{items,1}',
  (select c.card || '{"feedContext": "shared_to_hub"}' from app.post_cards(tests.ids('trams')) as c),
  'feed_page adds a given context to its card'
);
select is(
  app.feed_page('{}', null, tests.cursor_after(), 2), '{"items": [], "nextCursor": null}',
  'feed_page returns an empty page for no entries'
);
select is(
  tests.item_ids(app.feed_page(array[tests.feed_entry('locked'), tests.feed_entry('cars')], null, tests.cursor_after(), 2)),
  tests.ids('cars'),
  'feed_page omits a post that the caller cannot see'
);

rollback to empty;

-- get_home_feed bounds the page size itself, as the Data API reaches it without the service.
select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility) select tests.id('maya'), n, 'public' from generate_series(1, 51) as n;

select tests.authenticate_as_guest();
select is(jsonb_array_length(api.get_home_feed('{"limit": 50}') -> 'items'), 50, 'a page of the home feed has up to 50 posts');
select throws_ok(
  $$ select api.get_home_feed('{"limit": 51}') $$, 'PT422', 'VALIDATION_FAILED', 'get_home_feed refuses a limit above 50'
);
select is(jsonb_array_length(api.get_home_feed('{}') -> 'items'), 20, 'a page of the home feed has 20 posts without a limit');

rollback to empty;

-- get_home_feed omits posts that the caller may not see.
select tests.person('maya', 4);
select tests.person('jonas', 2);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (id, author_id, thought_text, visibility, created_at)
values
  (tests.id('older'), tests.id('maya'), 'older', 'public', app.now() - interval '2 hours'),
  (tests.id('locked'), tests.id('maya'), 'locked', 'private_locked_hub', app.now() - interval '1 hour'),
  (tests.id('newer'), tests.id('maya'), 'newer', 'public', app.now());

select tests.authenticate_as_guest();
create temporary table answers as select api.get_home_feed('{"limit": 2}') as page;
select is(tests.item_ids(page), tests.ids('newer', 'older'), 'a hidden post leaves no gap in the page') from answers;
select is(page -> 'nextCursor', 'null', 'a hidden post adds no further page') from answers;
reset role;
insert into app.account_deletions (user_id) values (tests.id('maya'));
select tests.authenticate_as_guest();
select is(api.get_home_feed('{}') -> 'items', '[]', 'a guest cannot read posts of a deleted account');
select tests.authenticate_as('jonas');
select is(api.get_home_feed('{}') -> 'items', '[]', 'a registered user cannot read posts of a deleted account');
reset role;
delete from app.account_deletions;
select tests.authenticate_as('jonas');
select is(
  tests.item_ids(api.get_home_feed('{}')), tests.ids('newer', 'older'),
  'the default feed has its posts again without the account deletion'
);

rollback to empty;

-- get_home_feed lists posts newest first, each with its context.
select tests.authenticate_as_guest();
select is(
  api.get_home_feed('{"limit": 20}'), '{"items": [], "nextCursor": null}', 'the home feed is empty without default feed users'
);
select throws_ok(
  $$ select api.get_home_feed('{"limit": 20, "cursor": "page 2"}') $$, 'PT422', 'VALIDATION_FAILED',
  'get_home_feed refuses a cursor that no page returned'
);
reset role;
select tests.person(name, 3) from unnest(array['maya', 'amara', 'jonas']) as name;
insert into app.default_feed_users (user_id) values (tests.id('maya')), (tests.id('amara'));
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('maya'), 'oldest', 'public', app.now() - interval '3 hours'),
  (tests.id('amara'), 'middle', 'public', app.now() - interval '2 hours'),
  (tests.id('jonas'), 'of no default feed user', 'public', app.now() - interval '90 minutes'),
  (tests.id('maya'), 'newest', 'public', app.now() - interval '1 hour');

select tests.authenticate_as_guest();
create temporary table answers as select api.get_home_feed('{"limit": 20}') as page;
select is(
  jsonb_path_query_array(page, '$.items[*].thoughtText'), '["newest", "middle", "oldest"]',
  'a guest gets posts of the default feed users, newest first'
)
from answers;
select is(
  jsonb_path_query_array(page, '$.items[*].feedContext') - 'default_feed_user', '[]',
  'each card of a guest''s feed has the context default_feed_user'
)
from answers;
select is(page -> 'nextCursor', 'null', 'the last page of the home feed has no cursor') from answers;
select tests.authenticate_as('jonas');
select is(
  jsonb_path_query_array(api.get_home_feed('{"limit": 20}'), '$.items[*].feedContext'), '["own_post"]',
  'an author gets their own posts instead of the default feed'
);

rollback to empty;

-- get_home_feed requires membership for the feed of a Hub.
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select is(tests.refusals('get_home_feed', args), expected, title)
from (
  values
    (
      tests.hub_args('elm'),
      '{"guest": "FORBIDDEN", "signed out": "UNAUTHORIZED", "nina": "FORBIDDEN", "lena": "FORBIDDEN"}'::jsonb,
      'get_home_feed refuses a Hub''s feed to non-members'
    ),
    (
      tests.hub_args('ash'), tests.refusals_of_all('FORBIDDEN') || '{"guest": "FORBIDDEN", "nina": "FORBIDDEN"}',
      'get_home_feed refuses the feed of a Hub that does not exist'
    ),
    ('{"hubId": null}', '{"signed out": "UNAUTHORIZED"}', 'get_home_feed without a Hub refuses only an ended session')
) as c (args, expected, title);
select tests.authenticate_as('lena');
select throws_ok(
  $$ select api.get_home_feed(tests.hub_args('elm')) $$, 'PT403', 'FORBIDDEN', 'get_home_feed answers a non-member with PT403'
);
select tests.authenticate_as('maya');
select is(
  tests.item_ids(api.get_home_feed(tests.hub_args('elm'))), tests.ids('trams'),
  'a member reads their Hub''s feed by get_home_feed'
);
reset role;
select results_eq(
  'select user_id from app.memberships where seen_at is not null', tests.ids('maya'),
  'get_home_feed for a Hub records that the member has used the Hub'
);

rollback to empty;

-- get_home_feed paginates without gaps and repetitions.
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
  $$ select jsonb_array_length(feed -> 'items') from pages order by page $$, array[2, 2, 1], 'every page but the last is full'
);
select results_eq(
  $$
    select (item ->> 'id')::uuid
    from pages, jsonb_array_elements(feed -> 'items') with ordinality as i (item, place)
    order by page, place
  $$,
  $$ select id from app.posts order by created_at desc, id desc $$,
  'pages list each post once and in order, also posts of one moment'
);
select results_eq(
  $$ select feed -> 'nextCursor' = 'null' from pages order by page $$, array[false, false, true],
  'only the last of several pages has no cursor'
);

reset role;
insert into app.posts (author_id, thought_text, visibility, created_at) values (tests.id('maya'), 'new', 'public', app.now());
delete from app.posts where id = (select (feed #>> '{items,1,id}')::uuid from pages where page = 1);
select tests.authenticate_as_guest();
select is(pg_temp.page(p1.feed ->> 'nextCursor'), p2.feed, 'a new post and a deleted post leave the next page unchanged')
from pages as p1, pages as p2
where p1.page = 1 and p2.page = 2;
select is(api.get_home_feed('{"limit": 5}') -> 'nextCursor', 'null', 'a full page without further posts has no cursor');

rollback to empty;

-- get_home_feed lists the posts of followed users in order of time.
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
  'the home feed lists public posts of followed users and own posts, newest first'
);
reset role;
update app.posts set created_at = '2026-01-01';
select tests.authenticate_as('maya');
select is(
  pg_temp.feed('{"limit": 2}')
    || pg_temp.feed(jsonb_build_object('limit', 2, 'cursor', api.get_home_feed('{"limit": 2}') ->> 'nextCursor')),
  pg_temp.feed(), 'pages list posts of one moment once across authors'
);
select tests.authenticate_as('jonas');
select api.block_user(tests.user_args('maya'));
select tests.authenticate_as('maya');
select is(pg_temp.feed(), array['of Maya: own_post'], 'the home feed omits posts of a followed user who has blocked the caller');
reset role;
delete from app.posts where author_id = tests.id('maya');
select tests.block('ann', 'maya');
select tests.authenticate_as('maya');
select is(pg_temp.feed(), '{}', 'the default feed omits posts of a user who has blocked the caller');

rollback to empty;

-- get_hub_feed requires membership.
select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 21) as n;
select is(
  tests.refusals('get_hub_feed', tests.hub_args('elm')), tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
  'get_hub_feed refuses non-members and users below level 4'
);
select is(
  tests.refusals('get_hub_feed', tests.hub_args('ash')), tests.refusals_of_all('HUB_NOT_FOUND'),
  'get_hub_feed finds no Hub that does not exist'
);
select tests.authenticate_as('maya');
select is(
  cardinality(tests.item_ids(api.get_hub_feed(tests.hub_args('elm')))), 20, 'a page of a Hub feed has 20 posts without a limit'
);
select is(
  cardinality(tests.item_ids(api.get_hub_feed(tests.hub_args('elm', '{"limit": 50}')))), 21,
  'a page of a Hub feed has up to 50 posts'
);
select is(tests.refusal('get_hub_feed', tests.hub_args('elm', args)), 'VALIDATION_FAILED', title)
from (
  values
    ('{"limit": 51}'::jsonb, 'get_hub_feed refuses a limit above 50'),
    ('{"cursor": "?"}', 'get_hub_feed refuses a cursor that no page returned')
) as c (args, title);
reset role;
select results_eq(
  'select user_id from app.memberships where seen_at is not null', tests.ids('maya'),
  'get_hub_feed records that the member has used the Hub'
);

rollback to empty;

-- get_profile_feed lists the public posts and feed shares of a visible user.
select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id('post ' || n), tests.id('maya'), n, 'public', tests.minutes_ago(n) from generate_series(1, 21) as n;
select tests.post('of jonas', 'jonas');
select tests.feed_share('maya', 'of jonas', tests.minutes_ago(0));

create function pg_temp.feed(p_args jsonb default '{}', p_name text default 'maya')
returns text[]
language sql
return tests.thoughts(tests.item_ids(api.get_profile_feed(tests.user_args(p_name) || p_args)));

select tests.authenticate_as_guest();
select is((pg_temp.feed())[:3], array['of jonas', '1', '2'], 'a profile feed lists posts and feed shares, newest first');
select is(cardinality(pg_temp.feed()), 20, 'a page of a profile feed has 20 posts without a limit');
select is(cardinality(pg_temp.feed('{"limit": 50}')), 22, 'a page of a profile feed has up to 50 posts');
select is(tests.refusal('get_profile_feed', tests.user_args(name) || args), expected, title)
from (
  values
    ('maya', '{"limit": 51}'::jsonb, 'VALIDATION_FAILED', 'get_profile_feed refuses a limit above 50'),
    ('maya', '{"cursor": "?"}', 'VALIDATION_FAILED', 'get_profile_feed refuses a cursor that no page returned'),
    ('nobody', '{}', 'USER_NOT_FOUND', 'get_profile_feed finds no user who does not exist')
) as c (name, args, expected, title);
select is(
  pg_temp.feed(jsonb_build_object('limit', 50, 'cursor', api.get_profile_feed(tests.user_args('maya')) ->> 'nextCursor')),
  (pg_temp.feed('{"limit": 50}'))[21:], 'the second page of a profile feed lists the remaining posts'
);
select is_empty(
  $$
    select from jsonb_array_elements(api.get_profile_feed(tests.user_args('maya')) -> 'items') as item
    where item ? 'feedContext'
  $$,
  'the cards of a profile feed have no context'
);
select is(pg_temp.feed(p_name => 'lena'), '{}', 'the profile feed of a user without posts is empty');
reset role;
select tests.block('maya', 'jonas');
select tests.authenticate_as('jonas');
select is(
  tests.refusal('get_profile_feed', tests.user_args('maya')), 'USER_NOT_FOUND',
  'a blocked user cannot read the blocker''s profile feed'
);
reset role;
select app.end_user(tests.id('maya'));
select tests.authenticate_as_guest();
select is(
  tests.refusal('get_profile_feed', tests.user_args('maya')), 'USER_NOT_FOUND',
  'get_profile_feed finds no user whose account has ended'
);

rollback to empty;

-- has_sources is true for a caller with a follow, a membership or a post.
select tests.elm();
select tests.person(name) from unnest(array['ann', 'ben', 'cleo', 'dora']) as name;
select tests.follow('ann', 'lena');
select tests.post('locked', 'ben', 'private_locked_hub');
select tests.follow('jonas', 'cleo');
select tests.post('trams', 'lena');

create function pg_temp.has_sources(p_caller text)
returns boolean
language plpgsql
as $$
declare
  v_has_sources boolean;
begin
  perform case when p_caller is null then tests.authenticate_as_guest() else tests.authenticate_as(p_caller) end;
  v_has_sources := app.has_sources();
  perform set_config('role', 'none', true);
  return v_has_sources;
end
$$;

select is(pg_temp.has_sources(caller), expected, title)
from (
  values
    ('ann', true, 'a user who follows another user has sources'),
    ('maya', true, 'a Hub member has sources'),
    ('ben', true, 'an author of a private post alone has sources'),
    ('cleo', false, 'a user who is followed but follows nobody has no sources'),
    ('dora', false, 'a user without posts, follows and Hubs has no sources'),
    (null, false, 'a guest never has sources of their own')
) as c (caller, expected, title);

rollback to empty;

-- my_sources lists the users whom the caller follows and the Hubs they are in.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.hub('oak', 'jonas');
select tests.membership('ash', 'jonas');
select tests.follow('jonas', 'lena');
select tests.follow('jonas', 'maya');
select tests.follow('lena', 'amara');
select tests.follow('amara', 'jonas');
select tests.authenticate_as('jonas');
select set_eq(
  'select source_id from app.my_sources', tests.ids('lena', 'maya', 'elm', 'ash', 'oak'),
  'my_sources lists followed users and the caller''s Hubs'
);
select tests.authenticate_as('lena');
select set_eq('select source_id from app.my_sources', tests.ids('amara', 'ash'), 'my_sources lists no sources of another user');
reset role;
delete from app.memberships where hub_id = tests.id('ash') and user_id = tests.id('jonas');
delete from app.follows where followee_id = tests.id('lena');
select tests.authenticate_as('jonas');
select set_eq(
  'select source_id from app.my_sources', tests.ids('maya', 'elm', 'oak'), 'my_sources omits ended follows and memberships'
);
select api.block_user(tests.user_args('maya'));
select set_eq('select source_id from app.my_sources', tests.ids('elm', 'oak'), 'my_sources omits a followed user after a block');

select * from finish();
rollback;
