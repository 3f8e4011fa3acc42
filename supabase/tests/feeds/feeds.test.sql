begin;
select plan(74);
savepoint empty;

-- open_feed_cursor starts at the top without a cursor, and dates page one no later than now.
-- docs/product.md F15
select app.set_clock_offset('1 hour');
select is(
  app.open_feed_cursor('home', null)::text,
  (
    'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot(), 'recent', false, 'home'
  )::app.feed_cursor::text,
  'without a cursor, pagination starts now with the current snapshot'
);
select is(
  (app.open_feed_cursor('home', null, 'trending')).part, 'active',
  'without a cursor, a trending feed starts with its active part'
);
select is(
  (app.open_feed_cursor('home', app.seal_cursor('home', jsonb_build_array(
    app.now(), tests.id('trams'), app.now() + interval '13 days', '10:20:12', 'quiet', false
  )))).began_at,
  app.now(), 'a cursor that begins in the future counts as of now'
);
select throws_ok(
  format('select app.open_feed_cursor(''elm'', %L)', app.encode_feed_cursor(tests.cursor_after())), 'PT422',
  'VALIDATION_FAILED',
  'a feed refuses the cursor of another feed'
);

rollback to empty;

-- encode_feed_cursor keeps every field of a position.
select app.set_clock_offset('200 years');
create temporary table positions as
select (at, id, began_at, seen, part, is_own, 'home')::app.feed_cursor as position
from (
  values
    (
      '2026-01-01 00:00:00.123456Z'::timestamptz, tests.id('trams'), '2026-01-02 00:00:00.654321Z', '10:20:12,15',
      'recent', true
    ),
    ('1970-01-01Z', '00000000-0000-0000-0000-000000000000', '1970-01-01Z', '1:1:', 'active', false),
    (
      '2200-12-31 23:59:59.999999Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2200-12-31 23:59:59.999999Z',
      '4294967300:9223372036854775806:4294967307', 'quiet', true
    )
) as given (at, id, began_at, seen, part, is_own);
select is(
  app.open_feed_cursor('home', app.encode_feed_cursor(position))::text, position::text,
  'open_feed_cursor returns the encoded position of ' || (position).at
)
from positions;

rollback to empty;

-- feed reads the caller's sources, or the default feed users for a caller without any (docs/product.md F3).
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.person('silent');
select tests.person('anonymous', 1);
select tests.post('of ' || name, name) from unnest(array['maya', 'jonas', 'ann']) as name;
insert into app.default_feed_users (user_id) select tests.id(name) from unnest(array['ann', 'maya']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'silent');
select tests.follow('lena', 'maya');
select tests.follow('lena', 'ann');
update app.follows set is_muted = true;

create function pg_temp.feed_of(p_caller text)
returns text
language sql
return (
  select string_agg(
    format('%s: %s', item ->> 'thoughtText', item ->> 'feedContext'), ', ' order by item ->> 'thoughtText'
  )
  from jsonb_array_elements(tests.value_as(p_caller, 'app.feed(''get_home_feed'', ''{}'')') -> 'items') as item
);

select is(pg_temp.feed_of(caller), expected, title)
from (
  values
    (null, 'of ann: default_feed_user, of maya: default_feed_user', 'a guest gets posts of the default feed users'),
    (
      'anonymous', 'of ann: default_feed_user, of maya: default_feed_user',
      'a user without sources gets the default feed'
    ),
    ('jonas', 'of jonas: own_post', 'an author who follows nobody gets only their own posts'),
    ('ann', 'of ann: own_post', 'a default feed user''s own posts have the context own_post'),
    (
      'maya', 'of jonas: followed_author, of maya: own_post',
      'a follower gets their own posts and those of followed users'
    ),
    (
      'lena', 'of ann: followed_author, of maya: followed_author',
      'a followed default feed user''s posts have the context followed_author, also if their notifications are muted'
    )
) as c (caller, expected, title);
select tests.value_as('lena', format('api.block_user(%L)', tests.user_args('maya')));
select is(pg_temp.feed_of('lena'), 'of ann: followed_author', 'the feed omits a followed user whom the caller blocks');
select tests.value_as('lena', format('api.unfollow_user(%L)', tests.user_args('ann')));
select is(
  pg_temp.feed_of('lena'), 'of ann: default_feed_user', 'a caller who unfollows their last source gets the default feed'
);
select tests.follow('lena', 'jonas');
insert into app.suspensions (user_id) values (tests.id('jonas'));
select is(
  pg_temp.feed_of('lena'), 'of ann: default_feed_user',
  'a caller who follows only a suspended user gets the default feed'
);

rollback to empty;

-- feed ranks the activity of seven days in a trending feed, then lists the other posts (docs/product.md F14).
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

create function pg_temp.feed(p_caller text, p_args jsonb)
returns text[]
language plpgsql
as $$
declare
  v_page jsonb := tests.value_as(p_caller, format('app.feed(''get_home_feed'', %L)', p_args));
  v_thoughts text[] := tests.thoughts(tests.item_ids(v_page));
begin
  if v_page ->> 'nextCursor' is null then
    return v_thoughts;
  end if;
  return v_thoughts || pg_temp.feed(p_caller, p_args || jsonb_build_object('cursor', v_page ->> 'nextCursor'));
end
$$;

select is(
  array(
    select distinct pg_temp.feed('maya', jsonb_build_object('sort', 'trending', 'limit', n))
    from unnest(array[1, 2, 3, 6]) as n
  ),
  array[array['trams', 'cars', 'bikes', 'feet', 'boats']],
  'a trending feed ranks posts active within seven days before all others, for every page size'
);
select is(
  array(select distinct pg_temp.feed('maya', args) from unnest(array['{"sort": "recent"}', '{}']::jsonb[]) as args),
  array[array['bikes', 'trams', 'feet', 'boats', 'cars']], 'a recent feed, the default, lists the newest post first'
);
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select is(
  pg_temp.feed(null, '{"sort": "trending", "limit": 2}'), array['trams', 'cars', 'bikes', 'feet', 'boats'],
  'the default feed ranks posts active within seven days first'
);
select tests.placement(name, 'elm', app.now() - age::interval)
from (values ('cars', '2 days'), ('feet', '1 hour'), ('boats', '9 hours')) as placed (name, age);
select is(
  pg_temp.feed('maya', tests.hub_args('elm', '{"sort": "trending", "limit": 2}')), array['cars', 'feet', 'boats'],
  'a Hub feed ranks posts active within seven days first'
);
select is(
  tests.value_as(
    'maya', format('app.feed(''get_home_feed'', %L)', args || '{"sort": "trending"}')
  ) #> '{items,0,feedContext}', context,
  format('a trending %s has the contexts of the recent feed', title)
)
from (
  values (tests.hub_args('elm'), '"joined_hub_post"'::jsonb, 'Hub feed'), ('{}', '"hub_co_member_author"', 'home feed')
) as c (args, context, title);

rollback to empty;

-- feed_page turns entries into cards and the cursor of the next page.
select tests.person(name) from unnest(array['maya', 'lena']) as name;
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
create temporary table listed as
select array[
  tests.feed_entry('bikes', tests.minutes_ago(1)), tests.feed_entry('trams', tests.minutes_ago(2)),
  tests.feed_entry('cars', tests.minutes_ago(3))
] as entries;

create function pg_temp.page(p_limit integer, p_contexts text[] default null, p_part text default 'recent')
returns jsonb
language sql
return app.feed_page(
  (select l.entries from listed as l), p_contexts,
  ('infinity', tests.id('none'), tests.minutes_ago(9), '10:20:12', p_part, true, 'home')::app.feed_cursor, p_limit
)::jsonb;

select tests.act_for('maya');
select is(
  pg_temp.page(3), jsonb_build_object('items', app.seen_cards(tests.ids('bikes', 'trams', 'cars')), 'nextCursor', null),
  'feed_page lists the cards of its entries in order, and returns no cursor on the last page'
);
select is(tests.item_ids(pg_temp.page(2)), tests.ids('bikes', 'trams'), 'feed_page returns as many cards as requested');
select is(
  app.open_feed_cursor('home', pg_temp.page(2) ->> 'nextCursor')::text,
  (
    tests.minutes_ago(2), tests.id('trams'), tests.minutes_ago(9), '10:20:12', 'recent', true, 'home'
  )::app.feed_cursor::text,
  'the next cursor has the last card''s position and the first page''s start'
);
select is(
  (app.open_feed_cursor('home', pg_temp.page(2, null, 'active') ->> 'nextCursor')).part, 'quiet',
  'a trending feed''s next cursor is quiet after an entry with an event'
);
select is(
  pg_temp.page(3, array['own_post', 'shared_to_hub', 'followed_author']) #> '{items,1}',
  (app.seen_cards(tests.ids('trams')))[1]::jsonb || '{"feedContext": "shared_to_hub"}',
  'feed_page adds a given context to its card'
);

rollback to empty;

-- get_home_feed lists a page of the feed.
select tests.authenticate_as_guest();
select is(
  api.get_home_feed('{}')::jsonb, '{"items": [], "nextCursor": null}',
  'the home feed is empty without default feed users'
);
select is(tests.refusal('get_home_feed', args), 'VALIDATION_FAILED', title)
from (
  values
    ('{"limit": 51}'::jsonb, 'get_home_feed refuses a limit above 50'),
    ('{"cursor": "page 2"}', 'get_home_feed refuses a cursor that no page returned'),
    ('{"sort": "loudest"}', 'get_home_feed refuses an unknown sort')
) as c (args, title);
reset role;
select tests.person(name, 3) from unnest(array['maya', 'ann', 'lena']) as name;
insert into app.default_feed_users (user_id) select unnest(tests.ids('maya', 'ann'));
insert into app.posts (author_id, thought_text, visibility, created_at)
select (tests.ids('maya', 'ann'))[1 + n % 2], n, 'public', app.now() - interval '1 microsecond' * (n / 4)
from generate_series(1, 51) as n;
create temporary table expected as
select array(select p.id from app.posts as p order by p.created_at desc, p.id desc) as ids;
-- Posts of the same time that are not in the feed.
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('maya'), 'locked', 'private_locked_hub', app.now() - interval '1 microsecond'),
  (tests.id('lena'), 'of lena', 'public', app.now() - interval '1 microsecond');
grant select on expected to anon;
select tests.authenticate_as_guest();
select is(
  array(select cardinality(tests.item_ids(page)) from tests.pages('get_home_feed', args) as page), lengths,
  'a page of the home feed has ' || title
)
from (
  values ('{}'::jsonb, '{20,20,11}'::integer[], '20 posts without a limit'),
  ('{"limit": 50}', '{50,1}', 'up to 50 posts')
) as c (args, lengths, title);
select is(
  array(
    select unnest(tests.item_ids(page)) from tests.pages('get_home_feed', jsonb_build_object('limit', n)) as page
  ), ids,
  format('pages of %s list each visible post once, newest first, also posts of one moment', n)
)
from expected, unnest(array[3, 17]) as n;
create temporary table pages as
select page, place from tests.pages('get_home_feed', '{"limit": 3}') with ordinality as p (page, place);
reset role;
insert into app.posts (author_id, thought_text, visibility, created_at)
values (tests.id('maya'), 'new', 'public', app.now());
delete from app.posts where id = (select (page #>> '{items,1,id}')::uuid from pages where place = 1);
select tests.authenticate_as_guest();
select is(
  api.get_home_feed(jsonb_build_object('limit', 3, 'cursor', one.page ->> 'nextCursor'))::jsonb, two.page,
  'a new post and a deleted post leave the next page unchanged'
)
from pages as one, pages as two
where one.place = 1 and two.place = 2;
reset role;
select is(
  tests.value_for('maya', 'cardinality(app.default_entries(tests.cursor_after(), 99))'), '51',
  'the default feed omits private posts even for their author'
);
select tests.account_deletion('maya'), tests.account_deletion('ann');
select tests.person('jonas');
select is(
  tests.value_as(caller, 'api.get_home_feed(''{}'')') -> 'items', '[]',
  title || ' cannot read posts of a deleted account'
)
from (values (null, 'a guest'), ('jonas', 'a registered user')) as c (caller, title);

rollback to empty;

-- get_home_feed requires membership for the feed of a Hub.
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select is(tests.refusals('get_home_feed', args), expected, title)
from (
  values
    (
      tests.hub_args('elm'),
      '{"guest": "UNAUTHORIZED", "signed out": "UNAUTHORIZED", "nina": "level 4", "lena": "FORBIDDEN"}'::jsonb,
      'get_home_feed refuses a Hub''s feed to non-members'
    ),
    (
      tests.hub_args('ash'), tests.refusals_of_all('HUB_NOT_FOUND') || '{"guest": "UNAUTHORIZED", "nina": "level 4"}',
      'get_home_feed refuses the feed of a Hub that does not exist'
    ),
    ('{"hubId": null}', '{"signed out": "UNAUTHORIZED"}', 'get_home_feed without a Hub refuses only an ended session')
) as c (args, expected, title);
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

-- get_home_feed lists the posts of followed users in order of time (docs/product.md F4).
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
insert into app.default_feed_users (user_id) values (tests.id('ann'));
insert into app.posts (author_id, thought_text, visibility, created_at)
values
  (tests.id('jonas'), 'old of Jonas', 'public', app.now() - interval '3 hours'),
  (tests.id('maya'), 'of Maya', 'public', app.now() - interval '2 hours'),
  (tests.id('jonas'), 'new of Jonas', 'public', app.now() - interval '1 hour'),
  (tests.id('jonas'), 'locked of Jonas', 'private_locked_hub', app.now()),
  (tests.id('lena'), 'of Lena', 'public', app.now()), (tests.id('ann'), 'of Ann', 'public', app.now());
select tests.follow('maya', 'jonas');

create function pg_temp.feed()
returns text[]
language sql
return tests.thoughts(tests.item_ids(tests.value_as('maya', 'api.get_home_feed(''{}'')')));

select is(
  pg_temp.feed(), array['new of Jonas', 'of Maya', 'old of Jonas'],
  'the home feed lists public posts of followed users and own posts, newest first'
);
update app.posts set created_at = '2026-01-01';
update app.feed_events set occurred_at = '2026-01-01';
select tests.authenticate_as('maya');
select is(
  tests.thoughts(tests.item_ids_across_pages('get_home_feed', '{}')), pg_temp.feed(),
  'pages list posts of one moment once across authors'
);
reset role;
select tests.block('jonas', 'maya'), tests.block('ann', 'maya');
select is(pg_temp.feed(), array['of Maya'], 'the home feed omits posts of a followed user who has blocked the caller');
delete from app.posts where author_id = tests.id('maya');
delete from app.follows;
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
  array(select cardinality(tests.item_ids(api.get_hub_feed(tests.hub_args('elm', args)))) from unnest(array[
    '{}', '{"limit": 50}'
  ]::jsonb[]) as args),
  '{20,21}', 'a page of a Hub feed has 20 posts without a limit and up to 50'
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

create function pg_temp.feed(p_args jsonb default '{}')
returns text[]
language sql
return tests.thoughts(tests.item_ids(api.get_profile_feed(tests.user_args('maya') || p_args)));

select tests.authenticate_as_guest();
select is(
  (pg_temp.feed())[:3], array['of jonas', '1', '2'], 'a profile feed lists posts and feed shares, newest first'
);
select is(
  array[cardinality(pg_temp.feed()), cardinality(pg_temp.feed('{"limit": 50}'))], '{20,22}',
  'a page of a profile feed has 20 posts without a limit and up to 50'
);
select is(tests.refusal('get_profile_feed', tests.user_args(name) || args), expected, title)
from (
  values
    ('maya', '{"limit": 51}'::jsonb, 'VALIDATION_FAILED', 'get_profile_feed refuses a limit above 50'),
    ('maya', '{"cursor": "?"}', 'VALIDATION_FAILED', 'get_profile_feed refuses a cursor that no page returned'),
    ('nobody', '{}', 'USER_NOT_FOUND', 'get_profile_feed finds no user who does not exist')
) as c (name, args, expected, title);
select is(
  pg_temp.feed(
    jsonb_build_object('limit', 50, 'cursor', api.get_profile_feed(tests.user_args('maya')) ->> 'nextCursor')
  ),
  (pg_temp.feed('{"limit": 50}'))[21:], 'the second page of a profile feed lists the remaining posts'
);
select is_empty(
  $$
    select from jsonb_array_elements(api.get_profile_feed(tests.user_args('maya'))::jsonb -> 'items') as item
    where item ? 'feedContext'
  $$,
  'the cards of a profile feed have no context'
);
reset role;
create function pg_temp.refusal(p_caller text)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.get_profile_feed(%L)', tests.user_args('maya')));
select tests.block('maya', 'jonas');
select is(pg_temp.refusal('jonas'), 'PT404 USER_NOT_FOUND', 'a blocked user cannot read the blocker''s profile feed');
select app.end_user(tests.id('maya'));
select is(pg_temp.refusal(null), 'PT404 USER_NOT_FOUND', 'get_profile_feed finds no user whose account has ended');

rollback to empty;

-- has_sources is true for a caller with a follow, a membership or a post (docs/product.md F3).
select tests.elm();
select tests.person(name) from unnest(array['ann', 'ben', 'cleo', 'dora']) as name;
select tests.follow('ann', 'lena');
select tests.post('locked', 'ben', 'private_locked_hub');
select tests.follow('jonas', 'cleo');
select tests.post('trams', 'lena');
select tests.person(name) from unnest(array['eve', 'fay', 'suspended', 'ended']) as name;
select tests.follow('eve', 'suspended'), tests.follow('fay', 'ended');
insert into app.suspensions (user_id) values (tests.id('suspended'));
select app.end_user(tests.id('ended'));

select is(tests.value_for(caller, 'app.has_sources()'), to_jsonb(expected), title)
from (
  values
    ('ann', true, 'a user who follows another user has sources'),
    ('maya', true, 'a Hub member has sources'),
    ('ben', true, 'an author of a private post alone has sources'),
    ('cleo', false, 'a user who is followed but follows nobody has no sources'),
    ('dora', false, 'a user without posts, follows and Hubs has no sources'),
    ('eve', false, 'a user who follows a suspended user alone has no sources'),
    ('fay', false, 'a user who follows a deleted account alone has no sources'),
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
create function pg_temp.sources_of(p_caller text)
returns setof uuid
language sql
as $$
  select jsonb_array_elements_text(tests.value_as(p_caller, 'array(select source_id from app.my_sources)'))::uuid
$$;
select set_eq(
  $$ select pg_temp.sources_of('jonas') $$, tests.ids('lena', 'maya', 'elm', 'ash', 'oak'),
  'my_sources lists followed users and the caller''s Hubs'
);
select set_eq(
  $$ select pg_temp.sources_of('lena') $$, tests.ids('amara', 'ash'), 'my_sources lists no sources of another user'
);
delete from app.memberships where hub_id = tests.id('ash') and user_id = tests.id('jonas');
delete from app.follows where followee_id = tests.id('lena');
select tests.value_as('jonas', format('api.block_user(%L)', tests.user_args('maya')));
select set_eq(
  $$ select pg_temp.sources_of('jonas') $$, tests.ids('elm', 'oak'),
  'my_sources omits ended follows and memberships, and a followed user after a block'
);

select * from finish();
rollback;
