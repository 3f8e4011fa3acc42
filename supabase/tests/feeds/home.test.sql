begin;
select plan(101);

-- A page of the home feed: "trams voted -5" is a post that a vote placed five minutes ago.
create function pg_temp.home_entries(p_limit integer, p_after app.feed_position default tests.cursor_after())
returns text[]
language sql
return tests.describe_entries(app.home_entries(p_after, p_limit));

-- Which posts Maya's home feed placed before a cursor at the post trams.
create function pg_temp.shown(
  p_at timestamptz default tests.minutes_ago(5), p_began_at timestamptz default app.now(), p_posts text[] default array['trams']
)
returns uuid[]
language plpgsql
as $$
declare
  v_shown uuid[];
begin
  perform tests.authenticate_as('maya');
  v_shown := app.shown_before(
    tests.ids(variadic p_posts),
    (p_at, tests.id('trams'), p_began_at, '10:10:', 'recent', left(md5('home'), 8))::app.feed_position
  );
  perform set_config('role', 'none', true);
  return v_shown;
end
$$;
create function pg_temp.is_shown(p_at timestamptz default tests.minutes_ago(5), p_began_at timestamptz default app.now())
returns boolean
language sql
return pg_temp.shown(p_at, p_began_at) = tests.ids('trams');
savepoint empty;

-- has_other_activity finds events of the caller's sources other than shares into Hubs.
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;

create function pg_temp.has_other_activity()
returns boolean
language plpgsql
as $$
declare
  v_has_other_activity boolean;
begin
  perform tests.authenticate_as('maya');
  v_has_other_activity := app.has_other_activity(tests.id('trams'));
  perform set_config('role', 'none', true);
  return v_has_other_activity;
end
$$;

select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select ok(not pg_temp.has_other_activity(), 'a share into a Hub is no other activity');
select tests.record_activity('voted', 'maya', 'trams');
select ok(not pg_temp.has_other_activity(), 'the caller''s own vote is no other activity');
select tests.record_activity('voted', 'lena', 'trams');
select ok(not pg_temp.has_other_activity(), 'a vote by a user who is no source is no other activity');
select tests.record_activity('voted', 'jonas', 'trams', app.now() + interval '1 second');
select ok(not pg_temp.has_other_activity(), 'a co-member''s vote is no other activity before its time');
select app.set_clock_offset('1 second');
select ok(pg_temp.has_other_activity(), 'a co-member''s vote is other activity from its time on');
select ok(not app.has_other_activity(tests.id('bikes')), 'activity on another post is no other activity');
update app.feed_events set ended_at = app.now(), ended_by = '3';
select ok(not pg_temp.has_other_activity(), 'a lost event is no other activity');
select tests.record_activity('voted', 'lena', 'trams');
select tests.follow('maya', 'lena');
select ok(pg_temp.has_other_activity(), 'a vote by a followed user is other activity');

rollback to empty;

-- counted_events omits lost events and the activity of hidden users.
select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'jonas', 'elm');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.record_activity('voted', name, 'trams') from unnest(array['jonas', 'amara']) as name;

create function pg_temp.events()
returns setof text
language sql
as $$
  select concat_ws(' ', p.thought_text, e.kind, 'in ' || h.name)
  from app.counted_events as e
  join app.posts as p on p.id = e.post_id
  left join app.hubs as h on h.id = e.hub_id
$$;

delete from app.feed_events where kind = 'published' and hub_id is null;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select bag_eq(
  'select pg_temp.events()',
  array[
    'trams voted', 'trams voted in elm', 'trams voted', 'trams voted in elm', 'locked targeted in elm',
    'trams shared_to_hub in elm'
  ],
  'counted_events holds the activity and the placements of other users'
);
update app.feed_events set ended_at = app.now(), ended_by = '3' where actor_id = tests.id('amara');
select bag_eq(
  'select pg_temp.events()', array['trams voted', 'trams voted in elm', 'locked targeted in elm', 'trams shared_to_hub in elm'],
  'counted_events omits events that are lost'
);
select tests.block('jonas', 'maya');
select bag_eq(
  'select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'],
  'counted_events keeps only placements of a user who has blocked the caller'
);
update app.blocks set blocker_id = tests.id('maya'), blocked_id = tests.id('jonas');
select bag_eq(
  'select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'],
  'counted_events keeps only placements of a user whom the caller has blocked'
);
delete from app.blocks;
insert into app.account_deletions (user_id) values (tests.id('jonas'));
select bag_eq(
  'select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'],
  'counted_events keeps only placements of a user who has deleted their account'
);
delete from app.account_deletions;
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
select ok('trams shared_to_hub in elm' in (select pg_temp.events()), 'counted_events holds shares by erased accounts');

rollback to empty;

-- default_entries holds the public posts of the default feed users.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.default_feed_users (user_id) select tests.id(name) from unnest(array['maya', 'jonas']) as name;
insert into app.posts (id, author_id, thought_text, visibility, created_at)
values
  (tests.id('trams'), tests.id('maya'), 'trams', 'public', tests.minutes_ago(1)),
  (tests.id('bikes'), tests.id('jonas'), 'bikes', 'public_hub', tests.minutes_ago(2)),
  (tests.id('cars'), tests.id('maya'), 'cars', 'public', tests.minutes_ago(4)),
  (tests.id('locked'), tests.id('maya'), 'locked', 'private_locked_hub', tests.minutes_ago(3)),
  (tests.id('of lena'), tests.id('lena'), 'of lena', 'public', tests.minutes_ago(3));
select tests.record_activity('voted', 'jonas', 'cars');

create function pg_temp.default_entries(p_limit integer, p_after app.feed_position default tests.cursor_after())
returns text[]
language sql
return tests.describe_entries(app.default_entries(p_after, p_limit));

select tests.authenticate_as_guest();
select is(pg_temp.default_entries(page_size, after), expected, title)
from (
  values
    (
      9, tests.cursor_after(), array['trams published -1', 'bikes published -2', 'cars published -4'],
      'the default feed lists public posts of its users, newest first'
    ),
    (
      2, tests.cursor_after(), array['trams published -1', 'bikes published -2'],
      'the default feed returns as many posts as requested'
    ),
    (
      9, tests.cursor_after(tests.minutes_ago(2), 'bikes'), array['cars published -4'],
      'the default feed continues after a cursor position'
    )
) as c (page_size, after, expected, title);
select tests.authenticate_as('maya');
select is(
  pg_temp.default_entries(9), array['trams published -1', 'bikes published -2', 'cars published -4'],
  'the default feed omits private posts even for their author'
);
reset role;
update app.posts set created_at = app.now();
select tests.authenticate_as_guest();
select is(
  array(select id from unnest(app.default_entries(tests.cursor_after(), 9))),
  array(select id from unnest(tests.ids('trams', 'bikes', 'cars')) as id order by id desc),
  'the default feed orders posts of one moment by id, descending'
);

rollback to empty;

-- feed_activity omits the caller's own votes, comments, reposts and shares to their feed.
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya');
select tests.discussion('locked', 'maya', 'elm');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.record_activity(kind, 'maya', 'trams')
from unnest(array['voted', 'commented', 'reposted', 'shared_to_feed']::app.feed_event_kind[]) as kind;
select tests.record_activity('voted', 'jonas', 'bikes');
delete from app.feed_events where hub_id is not null and kind not in ('targeted', 'shared_to_hub');

create function pg_temp.activity()
returns setof text
language sql
as $$
  select p.thought_text || ' ' || a.kind || case when a.is_own_share then ' (own share)' else '' end
  from app.feed_activity as a
  join app.posts as p on p.id = a.post_id
$$;

select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select set_eq(
  'select pg_temp.activity()',
  array['trams published', 'trams shared_to_hub (own share)', 'bikes published', 'bikes voted', 'locked targeted'],
  'feed_activity keeps only the caller''s own posts, placements and Hub shares'
);
select set_config('request.jwt.claims', tests.claims('jonas')::text, true);
select set_eq(
  'select pg_temp.activity()',
  array[
    'trams published', 'trams voted', 'trams commented', 'trams reposted', 'trams shared_to_feed', 'trams shared_to_hub',
    'bikes published', 'locked targeted'
  ],
  'feed_activity keeps all activity of other users'
);
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
update app.feed_events set ended_at = app.now(), ended_by = '3' where kind in ('voted', 'published');
select ok('trams shared_to_hub' in (select pg_temp.activity()), 'feed_activity holds shares by erased accounts');
select ok('trams voted' in (select pg_temp.activity()), 'feed_activity holds events that are lost');

rollback to empty;

-- first_shown keeps the newest event of each visible post, unless the feed placed the post before the cursor.
select tests.elm();
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('locked', 'lena', 'private_locked_hub');
delete from app.feed_events;
select tests.follow('maya', 'jonas');
select tests.record_activity('voted', 'jonas', 'cars', tests.minutes_ago(1));

create temporary table candidates as
select array[
  tests.feed_entry('bikes', tests.minutes_ago(3), 'voted'), tests.feed_entry('trams', tests.minutes_ago(4)),
  tests.feed_entry('trams', tests.minutes_ago(2), 'voted'),
  tests.feed_entry('cars', tests.minutes_ago(5)), tests.feed_entry('locked', tests.minutes_ago(1)),
  tests.feed_entry('bikes', tests.minutes_ago(6))
] as events;
grant select on candidates to authenticated;

select tests.authenticate_as('maya');
select is(tests.describe_entries(app.first_shown(events, after)), expected, title)
from candidates, (
  values
    (
      tests.cursor_after(), array['trams voted -2', 'bikes voted -3', 'cars published -5'],
      'first_shown keeps each visible post at its newest event, newest first'
    ),
    (
      tests.cursor_after(tests.minutes_ago(1)), array['trams voted -2', 'bikes voted -3', 'cars published -5'],
      'first_shown keeps posts that nothing placed before the cursor'
    ),
    (
      tests.cursor_after(tests.minutes_ago(1), 'cars'), array['trams voted -2', 'bikes voted -3'],
      'first_shown omits a post that a newer event placed before the cursor'
    )
) as c (after, expected, title);
select is(app.first_shown('{}', tests.cursor_after(tests.minutes_ago(1))), '{}', 'first_shown returns nothing for no events');
select is(
  array(
    select id
    from unnest(app.first_shown(
      array[tests.feed_entry('trams'), tests.feed_entry('bikes'), tests.feed_entry('cars')], tests.cursor_after()
    ))
  ),
  array(select id from unnest(tests.ids('trams', 'bikes', 'cars')) as id order by id desc),
  'first_shown orders posts of one moment by id, descending'
);
reset role;
select tests.block('lena', 'maya');
select tests.authenticate_as('maya');
select is(app.first_shown(events, tests.cursor_after()), '{}', 'first_shown omits posts by an author who has blocked the caller')
from candidates;

rollback to empty;

-- home_entries lists each post once, at its newest event.
select tests.elm();
select tests.person('ann');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars', 'later']) as name;
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(2));
select tests.record_activity('commented', 'jonas', 'trams', tests.minutes_ago(6));
select tests.record_activity('voted', 'lena', 'bikes', tests.minutes_ago(5));
select tests.record_activity('voted', 'lena', 'cars', tests.minutes_ago(9));
select tests.record_activity('voted', 'lena', 'later', app.now() + interval '1 minute');

select tests.authenticate_as('maya');
select is(pg_temp.home_entries(page_size, after), expected, title)
from (
  values
    (
      9, tests.cursor_after(), array['trams voted -2', 'bikes voted -5', 'cars voted -9'],
      'the home feed lists each post once and omits future events'
    ),
    (1, tests.cursor_after(), array['trams voted -2'], 'the home feed returns as many posts as requested'),
    (
      9, tests.cursor_after(tests.minutes_ago(2), 'trams'), array['bikes voted -5', 'cars voted -9'],
      'the home feed lists no post again after its older events'
    )
) as c (page_size, after, expected, title);
reset role;
select app.set_clock_offset('1 minute');
select tests.authenticate_as('maya');
select is((pg_temp.home_entries(9))[1], 'later voted', 'the home feed lists a delayed vote from its time on');
select is(
  (pg_temp.home_entries(9, tests.cursor_after(app.now() - interval '1 minute')))[1], 'trams voted -3',
  'a cursor never returns events newer than its position'
);
reset role;
delete from app.feed_events;
delete from app.follows;
delete from app.memberships where user_id = tests.id('maya');
select tests.authenticate_as('maya');
select is(pg_temp.home_entries(9), '{}', 'the home feed is empty without sources');

rollback to empty;

-- home_entries reads further batches until the page is full.
select tests.person(name) from unnest(array['maya', 'lena', 'enemy', 'ann']) as name;
select tests.follow('maya', 'lena');
select tests.post('hidden ' || n, 'enemy') from generate_series(1, 30) as n;
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars']) as name;
delete from app.feed_events;
select tests.block('enemy', 'maya');
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(1));
select tests.record_activity('voted', 'lena', 'hidden ' || n, tests.minutes_ago(1 + n)) from generate_series(1, 30) as n;
select tests.record_activity('commented', 'lena', 'trams', tests.minutes_ago(40));
select tests.record_activity('voted', 'lena', 'bikes', tests.minutes_ago(41));
select tests.record_activity('voted', 'lena', 'cars', tests.minutes_ago(41));

select tests.authenticate_as('maya');
select is(cardinality(pg_temp.home_entries(2)), 2, 'a page is full despite thirty newer posts of a blocked pair');
select is((pg_temp.home_entries(9))[1], 'trams voted -1', 'the newest visible post comes first despite hidden posts below');
select is(cardinality(pg_temp.home_entries(9)), 3, 'a post comes once though its events are in different batches');
select is(
  pg_temp.home_entries(9, tests.cursor_after(tests.minutes_ago(1), 'trams')), (pg_temp.home_entries(9))[2:],
  'a page after the first post lists the remaining posts'
);

reset role;
select tests.record_activity('commented', 'lena', 'cars', tests.minutes_ago(2));
update app.feed_events set ended_at = app.now(), ended_by = '12' where kind = 'commented' and post_id = tests.id('cars');
select tests.authenticate_as('maya');
select is(
  cardinality(pg_temp.home_entries(9, tests.cursor_after(tests.minutes_ago(0)))), 3,
  'a post stays in the feed after it lost its newest event'
);

rollback to empty;

-- home_reasons returns the first reason that applies to each post.
select tests.elm();
select tests.person('ann');
select tests.person('olga', 4);
select tests.hub('ash', 'maya');
select tests.membership('ash', 'olga');
select tests.follow('maya', followee) from unnest(array['lena', 'jonas', 'ann']) as followee;
select tests.post('own', 'maya');
select tests.discussion('own locked', 'maya', 'elm');
select tests.post('of lena', 'lena');
select tests.post('of jonas', 'jonas');
select tests.post('of amara', 'amara', 'public_hub');
select tests.placement('of amara', 'elm');
select tests.discussion('locked', 'jonas', 'elm');
select tests.person('enno', 4);
select tests.post('of enno', 'enno', 'public_hub');
select tests.placement('of enno', 'elm');
select tests.post(name, 'enno') from unnest(array['acted on', 'shared', 'both']) as name;
select tests.placement(name, 'elm', p_kind => 'shared', p_by => 'jonas') from unnest(array['shared', 'both']) as name;
select tests.record_activity('voted', 'jonas', name) from unnest(array['acted on', 'both']) as name;

create function pg_temp.reasons(p_kind app.feed_event_kind, variadic p_posts text[])
returns text[]
language sql
return app.home_reasons(array(
  select tests.feed_entry(name, p_kind => p_kind) from unnest(p_posts) with ordinality as given (name, place) order by place
));

select tests.authenticate_as('maya');
select is(
  pg_temp.reasons(
    'shared_to_hub', 'shared', 'both', 'of enno', 'locked', 'of amara', 'of jonas', 'of lena', 'own locked', 'own'
  ),
  array[
    'shared_to_hub', 'friend_interaction', 'joined_hub_post', 'joined_hub_post', 'hub_co_member_author', 'followed_author',
    'followed_author', 'own_post', 'own_post'
  ],
  'home_reasons returns the first reason that applies, in post order'
);
select is(
  pg_temp.reasons('commented', 'acted on', 'shared'), array['friend_interaction', 'friend_interaction'],
  'the activity that placed a post is a friend interaction'
);
select tests.authenticate_as('jonas');
select is(
  pg_temp.reasons('voted', 'of lena', 'own', 'of amara', 'of jonas'),
  array['friend_interaction', 'hub_co_member_author', 'hub_co_member_author', 'own_post'],
  'home_reasons depends on the caller''s follows and Hubs'
);
select is(app.home_reasons('{}'), '{}', 'home_reasons returns nothing for no posts');

rollback to empty;

-- is_home_post requires more than the caller's own share into a Hub.
select tests.elm();
select tests.person('olga', 3);
select tests.follow('maya', 'lena');
select tests.post(name, 'olga') from unnest(array['shared', 'voted', 'other', 'of olga']) as name;
select tests.post('own', 'maya');
delete from app.feed_events;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('maya'), tests.id('shared'), 'shared_to_hub', tests.minutes_ago(4));
select tests.record_activity('targeted', 'lena', 'voted', tests.minutes_ago(3));
select tests.record_activity('voted', 'olga', 'of olga', tests.minutes_ago(3));

create function pg_temp.is_home(p_post text, p_part text default 'recent', p_began_at timestamptz default app.now())
returns boolean
language plpgsql
as $$
declare
  v_place app.feed_position := tests.cursor_after(p_part => p_part);
begin
  v_place.began_at := p_began_at;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', tests.id('maya'), 'role', 'authenticated')::text, true);
  return app.is_home_post(tests.id(p_post), v_place);
end
$$;

select is(pg_temp.is_home(post), expected, title)
from (
  values
    ('shared', false, 'the caller''s own share alone makes no home post'),
    ('voted', true, 'activity of a followed user makes a home post'),
    ('of olga', false, 'activity of a user who is no source makes no home post'),
    ('own', true, 'the caller''s own post is a home post')
) as c (post, expected, title);
select is(pg_temp.is_home('voted', part, tests.minutes_ago(5)), expected, title)
from (
  values
    ('recent', true, 'a recent feed counts activity after the first page'),
    ('quiet', false, 'a trending feed''s quiet part ignores activity after the first page')
) as c (part, expected, title);

rollback to empty;

-- newest_events reads the streams of followed users and joined Hubs, and the caller's own posts.
select tests.elm();
select tests.person('ann');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('own', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');
update app.posts set created_at = tests.minutes_ago(4);
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(5));
select tests.record_activity('commented', 'jonas', 'bikes', tests.minutes_ago(3));
select tests.record_activity('voted', 'maya', 'bikes', tests.minutes_ago(2));
select tests.record_activity('voted', 'ann', 'cars', tests.minutes_ago(1));
select tests.placement('cars', 'elm', tests.minutes_ago(6), 'shared');

create function pg_temp.events(
  p_limit integer, p_after app.feed_position default tests.cursor_after(), p_except text[] default '{}'
)
returns text[]
language sql
return tests.describe_entries(
  array(select event from app.newest_events(p_after, p_limit, tests.ids(variadic p_except)) as event)
);

select tests.authenticate_as('maya');
select is(pg_temp.events(page_size, after, known), expected, title)
from (
  values
    (
      9, tests.cursor_after(), '{}'::text[],
      array['bikes commented -3', 'own published -4', 'trams voted -5', 'cars shared_to_hub -6'],
      'newest_events lists events of followed users, Hubs and own public posts, newest first'
    ),
    (
      2, tests.cursor_after(), '{}', array['bikes commented -3', 'own published -4'],
      'newest_events returns as many events as requested'
    ),
    (
      9, tests.cursor_after(tests.minutes_ago(4), 'own'), '{}', array['trams voted -5', 'cars shared_to_hub -6'],
      'newest_events continues after an own post'
    ),
    (
      9, tests.cursor_after(tests.minutes_ago(5), 'trams'), '{}', array['cars shared_to_hub -6'],
      'newest_events continues after a source''s event'
    ),
    (
      9, tests.cursor_after(), array['bikes', 'own'], array['trams voted -5', 'cars shared_to_hub -6'],
      'newest_events omits posts that are already known'
    )
) as c (page_size, after, known, expected, title);
reset role;
delete from app.feed_events;
select tests.post('own ' || n, 'maya') from generate_series(1, 3) as n;
delete from app.feed_events;
update app.posts set created_at = tests.minutes_ago(right(thought_text, 1)::integer) where thought_text like 'own _';
select tests.authenticate_as('maya');
select is(
  pg_temp.events(2), array['own 1 published -1', 'own 2 published -2'], 'newest_events returns the newest of many own posts'
);

rollback to empty;

-- newest_events merges streams in order of time, then of post id.
select tests.person(name) from unnest(array['maya', 'one', 'two', 'three', 'author']) as name;
select tests.follow('maya', name) from unnest(array['one', 'two', 'three']) as name;
select tests.post(n::text, 'author') from generate_series(1, 9) as n;
delete from app.feed_events;
-- The number of a post is its age.
select tests.record_activity('voted', 'one', n::text, tests.minutes_ago(n)) from unnest(array[1, 2, 3, 8]) as n;
select tests.record_activity('voted', 'two', n::text, tests.minutes_ago(n)) from unnest(array[4, 5, 9]) as n;
select tests.record_activity('voted', 'three', n::text, tests.minutes_ago(n)) from unnest(array[6, 7]) as n;

create function pg_temp.ages(
  p_limit integer, p_after app.feed_position default tests.cursor_after(), p_except text[] default '{}'
)
returns text
language sql
return array_to_string(
  tests.thoughts(array(select event.id from app.newest_events(p_after, p_limit, tests.ids(variadic p_except)) as event)), ' '
);

select tests.authenticate_as('maya');
select is(
  array(select pg_temp.ages(n) from generate_series(1, 9) as n),
  array[
    '1', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 5', '1 2 3 4 5 6', '1 2 3 4 5 6 7', '1 2 3 4 5 6 7 8', '1 2 3 4 5 6 7 8 9'
  ],
  'newest_events merges three streams in time order for every page size'
);
select is(pg_temp.ages(page_size, after, known), expected, title)
from (
  values
    (
      3, tests.cursor_after(tests.minutes_ago(4), '4'), '{}'::text[], '5 6 7',
      'newest_events merges streams after a cursor position'
    ),
    (
      1, tests.cursor_after(tests.minutes_ago(3), '3'), '{}', '4',
      'newest_events switches to another stream right after the cursor position'
    ),
    (3, tests.cursor_after(), array['1', '2', '4', '6'], '3 5 7', 'newest_events skips known posts in every stream')
) as c (page_size, after, known, expected, title);
reset role;
update app.feed_events set occurred_at = tests.minutes_ago(1);
select tests.authenticate_as('maya');
create temporary table ordered as
select array(select id from generate_series(1, 9) as n, tests.id(n::text) as id order by id desc) as ids;
select is(
  array(select event.id from app.newest_events(tests.cursor_after(), 9, '{}') as event), ids,
  'newest_events orders events of one moment by post id, descending'
)
from ordered;
select is(
  array(
    select event.id
    from app.newest_events((tests.minutes_ago(1), ids[4], app.now(), '1:1:', 'recent', '')::app.feed_position, 9, '{}') as event
  ),
  ids[5:], 'newest_events continues between events of one moment'
)
from ordered;
select is(
  array(
    select array(select event.id from app.newest_events(tests.cursor_after(), n, '{}') as event) = ids[:n]
    from generate_series(1, 9) as n
  ),
  array_fill(true, array[9]), 'newest_events orders events of one moment alike for every page size'
)
from ordered;

rollback to empty;

-- newest_events picks the first post of one moment from whichever stream holds it.
select tests.person(name) from unnest(array['maya', 'one', 'two', 'three', 'author']) as name;
select tests.follow('maya', name) from unnest(array['one', 'two', 'three']) as name;
create temporary table posts as
select tests.post(n::text, 'author') as id, n = 1 as is_first from generate_series(1, 2) as n;
update posts set is_first = id = (select max(other.id::text)::uuid from posts as other);

create function pg_temp.newest(p_first text)
returns uuid
language plpgsql
as $$
declare
  v_id uuid;
begin
  delete from app.feed_events;
  perform app.record_activity('voted', tests.id(name), p.id, app.now())
  from unnest(array['one', 'two', 'three']) as name
  join posts as p on p.is_first = (name = p_first);
  perform tests.authenticate_as('maya');
  v_id := (select event.id from app.newest_events(tests.cursor_after(), 1, '{}') as event);
  perform set_config('role', 'none', true);
  return v_id;
end
$$;

select is(
  pg_temp.newest(name), (select p.id from posts as p where p.is_first),
  'newest_events finds the highest post id of one moment in stream ' || name
)
from unnest(array['one', 'two', 'three']) as name;

rollback to empty;

-- shown_before counts the caller's own share only where nothing else placed the post.
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.minutes_ago(4));

select ok(pg_temp.is_shown(tests.minutes_ago(5)), 'an own share before the cursor has shown the post');
select ok(not pg_temp.is_shown(tests.minutes_ago(3)), 'an own share after the cursor has not shown the post');
select tests.follow('maya', 'lena');
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(9));
select ok(not pg_temp.is_shown(tests.minutes_ago(5)), 'an own share has not shown a post that a source''s activity places lower');

rollback to empty;

-- shown_before counts events before the cursor that counted at some time since the first page.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.follow('maya', 'lena');

-- Whether an event of p_at has shown the post before a cursor of five minutes ago. Transaction 10 is the first after page one.
create function pg_temp.shows(p_actor text, p_at timestamptz, p_hub text default null, p_lost_by xid8 default null)
returns boolean
language plpgsql
as $$
declare
  v_shows boolean;
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, ended_at, ended_by)
  values (
    tests.id(p_hub), tests.id(p_actor), tests.id('trams'), 'voted', p_at,
    case when p_lost_by is not null then app.now() end, p_lost_by
  );
  v_shows := pg_temp.is_shown();
  delete from app.feed_events;
  return v_shows;
end
$$;

select is(pg_temp.shows(actor, at, hub, ended_by), expected, title)
from (
  values
    ('lena', tests.minutes_ago(4), null, null::xid8, true, 'an event before the cursor has shown the post'),
    ('lena', tests.minutes_ago(5), null, null, true, 'an event at the cursor position has shown the post'),
    ('lena', tests.minutes_ago(6), null, null, false, 'an event after the cursor has not shown the post'),
    ('lena', app.now() + interval '1 second', null, null, false, 'a future event has not shown the post'),
    ('lena', tests.minutes_ago(4), null, '12', true, 'an event lost after the first page has shown the post'),
    ('lena', tests.minutes_ago(4), null, '9', false, 'an event lost before the first page has not shown the post'),
    ('amara', tests.minutes_ago(4), null, null, false, 'an event of a user who is no source has not shown the post'),
    ('amara', tests.minutes_ago(4), 'elm', null, true, 'an event in the caller''s Hub has shown the post'),
    ('amara', tests.minutes_ago(4), 'ash', null, false, 'an event in another Hub has not shown the post'),
    ('maya', tests.minutes_ago(4), 'elm', null, false, 'the caller''s own vote has not shown the post')
) as c (actor, at, hub, ended_by, expected, title);

select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(4));
select is(pg_temp.shown(p_posts => array['bikes']), '{}', 'shown_before returns none but the posts in question');

rollback to empty;

-- shown_before reads sources that ended after the first page, and omits users hidden before it.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(4));
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('ash'), tests.id('jonas'), tests.id('trams'), 'voted', tests.minutes_ago(4));

select ok(pg_temp.is_shown(), 'activity of a followed user has shown the post');
delete from app.follows;
update app.former_sources set ended_by = '12';
select ok(pg_temp.is_shown(), 'activity of a user unfollowed since the first page has shown the post');
update app.former_sources set ended_by = '9';
select ok(not pg_temp.is_shown(), 'activity of a user unfollowed before the first page has not shown the post');
update app.former_sources set source_id = tests.id('ash'), ended_by = '12';
select ok(pg_temp.is_shown(), 'activity in a Hub left since the first page has shown the post');
update app.former_sources set user_id = tests.id('amara');
select ok(not pg_temp.is_shown(), 'activity in a Hub that another user left has not shown the post');

select tests.follow('maya', 'lena');
insert into app.blocks (blocker_id, blocked_id, created_at) values (tests.id('lena'), tests.id('maya'), tests.minutes_ago(5));
select is(pg_temp.is_shown(p_began_at => began_at), expected, title)
from (
  values
    (app.now(), false, 'activity of a blocked pair has not shown the post'),
    (tests.minutes_ago(5), false, 'activity of a pair blocked with the first page has not shown the post'),
    (tests.minutes_ago(6), true, 'activity of a pair blocked since the first page has shown the post')
) as c (began_at, expected, title);
delete from app.blocks;
insert into app.account_deletions (user_id, deleted_at) values (tests.id('lena'), tests.minutes_ago(5));
select ok(not pg_temp.is_shown(), 'activity of an account deleted before the first page has not shown the post');
delete from app.feed_events;
select tests.placement('trams', 'elm', tests.minutes_ago(4));
select ok(pg_temp.is_shown(), 'a targeted post by a hidden user has been shown in their Hub');
update app.feed_events set kind = 'shared_to_hub';
select ok(pg_temp.is_shown(), 'a share into a Hub by a hidden user has shown the post');

rollback to empty;

-- shown_before probes each source for a post with more events than it reads.
select tests.elm();
select tests.post('trams', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 250) as n;
delete from app.feed_events;
insert into app.feed_events (actor_id, post_id, kind, occurred_at)
select tests.id('voter ' || n), tests.id('trams'), 'voted', tests.minutes_ago(1) from generate_series(1, 250) as n;

select ok(not pg_temp.is_shown(), '250 votes by users who are no sources have not shown the post');
select tests.record_activity('voted', 'jonas', 'trams', tests.minutes_ago(4));
select ok(pg_temp.is_shown(), 'a source''s vote below 250 newer ones has shown the post');
select ok(pg_temp.is_shown(tests.minutes_ago(4)), 'a source''s vote at the cursor has shown a viral post');
select ok(not pg_temp.is_shown(tests.minutes_ago(3)), 'a source''s vote after the cursor has not shown a viral post');
update app.feed_events set occurred_at = app.now() + interval '1 second' where actor_id = tests.id('jonas');
select ok(not pg_temp.is_shown(), 'a source''s future vote has not shown a viral post');
insert into app.blocks (blocker_id, blocked_id, created_at)
values (tests.id('jonas'), tests.id('maya'), app.now() + interval '1 second');
update app.feed_events set occurred_at = tests.minutes_ago(4) where actor_id = tests.id('jonas');
select ok(pg_temp.is_shown(), 'a vote of a pair blocked since the first page has shown a viral post');
update app.blocks set created_at = tests.minutes_ago(1);
select ok(not pg_temp.is_shown(), 'a vote of a blocked pair has not shown a viral post');

delete from app.feed_events where actor_id = tests.id('jonas');
select tests.record_activity('voted', 'maya', 'trams', tests.minutes_ago(4));
select ok(not pg_temp.is_shown(), 'the caller''s own vote has not shown a viral post');
select tests.post('bikes', 'amara');
select is(pg_temp.shown(), '{}', 'a source''s new post has not shown another, viral post');
select tests.record_activity('commented', 'amara', 'trams', app.now());
update app.feed_events set ended_at = app.now(), ended_by = '12' where kind = 'commented';
select ok(pg_temp.is_shown(), 'a source''s event lost since the first page has shown a viral post');

select * from finish();
rollback;
