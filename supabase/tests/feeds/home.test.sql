begin;
select plan(81);

-- A page of the home feed: "trams voted -5" is a post that a vote placed five minutes ago.
create function pg_temp.home_entries(p_limit integer, p_after app.feed_position default tests.cursor_after())
returns text[]
language sql
return tests.describe_entries(app.home_entries(p_after, p_limit));

-- Whether Maya's home feed placed the post trams before a cursor at that post. Transaction 10 is the first after page one.
create function pg_temp.is_shown(p_at timestamptz default tests.minutes_ago(5), p_began_at timestamptz default app.now())
returns boolean
language sql
return tests.value_as('maya', format(
  'app.shown_before(%L, %L)', tests.ids('trams', 'bikes'),
  (p_at, tests.id('trams'), p_began_at, '10:10:', 'recent', 'home')::app.feed_position
)) = to_jsonb(tests.ids('trams'));

-- Whether Maya's feed placed trams before a cursor of p_cursor minutes ago, given an event p_age minutes ago, which
-- p_lost_by ended, and a block between her and its actor p_blocked seconds ago. It takes event and block back.
create function pg_temp.shows(
  p_actor text, p_age integer, p_cursor integer, p_hub text default null, p_lost_by xid8 default null,
  p_blocked integer default null, p_post text default 'trams'
)
returns boolean
language plpgsql
as $$
declare
  v_shows boolean;
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, ended_at, ended_by)
  values (
    tests.id(p_hub), tests.id(p_actor), tests.id(p_post), 'voted', tests.minutes_ago(p_age),
    case when p_lost_by is not null then app.now() end, p_lost_by
  );
  insert into app.blocks (blocker_id, blocked_id, created_at)
  select tests.id(p_actor), tests.id('maya'), app.now() - p_blocked * interval '1 second' where p_blocked is not null;
  v_shows := pg_temp.is_shown(tests.minutes_ago(p_cursor));
  raise division_by_zero;
exception when division_by_zero then
  return v_shows;
end
$$;
savepoint empty;

-- counted_events omits lost events and the activity of hidden users.
select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'jonas', 'elm');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.record_activity('voted', name, 'trams') from unnest(array['jonas', 'amara']) as name;
delete from app.feed_events where kind = 'published' and hub_id is null;
-- Of Jonas's events, one is lost.
update app.feed_events set ended_at = app.now(), ended_by = '3' where kind = 'voted' and source_id = tests.id('elm');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
create function pg_temp.events_after(p_change text)
returns text
language plpgsql
as $$
declare
  v_events text;
begin
  execute p_change;
  v_events := (
    select string_agg(concat_ws(' ', p.thought_text, e.kind, u.username), ', ' order by p.thought_text, e.kind, u.username)
    from app.counted_events as e
    join app.posts as p on p.id = e.post_id
    left join app.profiles as u on u.user_id = e.actor_id
  );
  raise division_by_zero;
exception when division_by_zero then
  return v_events;
end
$$;

select is(pg_temp.events_after(change), events, title)
from (
  values
    (
      'select', 'locked targeted jonas, trams voted amara, trams voted jonas, trams shared_to_hub jonas',
      'counted_events holds the activity and the placements of other users, and no lost event'
    ),
    (
      $$ update app.feed_events set actor_id = null where kind = 'shared_to_hub' $$,
      'locked targeted jonas, trams voted amara, trams voted jonas, trams shared_to_hub',
      'counted_events holds shares by erased accounts'
    )
) as c (change, events, title);
select is(
  pg_temp.events_after(change), 'locked targeted jonas, trams voted amara, trams shared_to_hub jonas',
  'counted_events keeps only placements of a user ' || title
)
from (
  values
    ($$ select tests.block('jonas', 'maya') $$, 'who has blocked the caller'),
    ($$ select tests.block('maya', 'jonas') $$, 'whom the caller has blocked'),
    ($$ insert into app.account_deletions (user_id) values (tests.id('jonas')) $$, 'who has deleted their account')
) as c (change, title);

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

update app.feed_events set ended_at = app.now(), ended_by = '3' where kind in ('voted', 'published');
insert into app.feed_events (hub_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('bikes'), 'shared_to_hub', app.now());

create function pg_temp.activity_for(p_viewer text)
returns setof text
language sql
as $$
  select set_config('request.jwt.claims', tests.claims(p_viewer)::text, true);
  select p.thought_text || ' ' || a.kind || case when a.is_own_share then ' (own share)' else '' end
  from app.feed_activity as a
  join app.posts as p on p.id = a.post_id
$$;

select set_eq(
  $$ select pg_temp.activity_for('maya') $$,
  array[
    'trams published', 'trams shared_to_hub (own share)', 'bikes published', 'bikes voted', 'bikes shared_to_hub',
    'locked targeted'
  ],
  'feed_activity keeps only the caller''s own posts, placements and Hub shares'
);
select set_eq(
  $$ select pg_temp.activity_for('jonas') $$,
  array[
    'trams published', 'trams voted', 'trams commented', 'trams reposted', 'trams shared_to_feed', 'trams shared_to_hub',
    'bikes published', 'bikes shared_to_hub', 'locked targeted'
  ],
  'feed_activity keeps all activity of other users, also lost events and shares by erased accounts'
);

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
create temporary table whole as select pg_temp.home_entries(9) as entries;
select is(
  entries,
  array['trams voted -1']
    || array(select name || ' voted -41' from unnest('{bikes,cars}'::text[]) as name order by tests.id(name) desc),
  'each visible post comes once, despite hidden posts and own older events below it, and posts of one moment by id'
)
from whole;
select is(
  pg_temp.home_entries(9, tests.cursor_after(tests.minutes_ago(1), 'trams')), entries[2:],
  'a page after the first post lists the remaining posts'
)
from whole;

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
-- A vote of no source, an own vote and a vote to come are no reasons.
select tests.record_activity('voted', name, 'shared') from unnest(array['enno', 'maya']) as name;
select tests.record_activity('voted', 'jonas', 'shared', app.now() + interval '1 second');

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

create function pg_temp.is_home(p_post text, p_part text, p_began_at timestamptz)
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

select is(pg_temp.is_home(post, part, tests.minutes_ago(5)), expected, title)
from (
  values
    ('shared', 'recent', false, 'the caller''s own share alone makes no home post'),
    ('voted', 'recent', true, 'activity of a followed user makes a home post, also after the first page'),
    ('of olga', 'recent', false, 'activity of a user who is no source makes no home post'),
    ('own', 'recent', true, 'the caller''s own post is a home post'),
    ('voted', 'quiet', false, 'a trending feed''s quiet part ignores activity after the first page')
) as c (post, part, expected, title);

rollback to empty;

-- newest_events reads the streams of followed users and joined Hubs, and the caller's own posts.
select tests.elm();
select tests.person('ann');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars', 'far']) as name;
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
-- Own shares, the second of a post that other activity brings.
select tests.placement('far', 'elm', tests.minutes_ago(7), 'shared', 'maya');
select tests.placement('bikes', 'elm', tests.minutes_ago(1), 'shared', 'maya');

create function pg_temp.events(
  p_limit integer, p_after app.feed_position default tests.cursor_after(), p_except text[] default '{}'
)
returns text[]
language sql
return tests.describe_entries(
  array(
    select (event.at, event.id, event.kind, null)::app.feed_entry
    from app.newest_events(p_after, p_limit, tests.ids(variadic p_except)) as event
  )
);

select tests.authenticate_as('maya');
select is(pg_temp.events(page_size, after, known), expected, title)
from (
  values
    (
      9, tests.cursor_after(), '{}'::text[],
      array['bikes commented -3', 'own published -4', 'trams voted -5', 'cars shared_to_hub -6', 'far shared_to_hub -7'],
      'newest_events lists events of followed users and Hubs, own public posts, and own shares that alone bring a post'
    ),
    (
      2, tests.cursor_after(tests.minutes_ago(4), 'own'), '{}', array['trams voted -5', 'cars shared_to_hub -6'],
      'newest_events continues after an own post'
    ),
    (
      9, tests.cursor_after(tests.minutes_ago(5), 'trams'), '{}', array['cars shared_to_hub -6', 'far shared_to_hub -7'],
      'newest_events continues after a source''s event'
    ),
    (
      9, tests.cursor_after(), array['bikes', 'own', 'far'], array['trams voted -5', 'cars shared_to_hub -6'],
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
  array(select event.id from app.newest_events(tests.cursor_after(), n, '{}') as event), ids[:n],
  format('the newest %s events of one moment come by post id, descending', n)
)
from ordered, unnest(array[1, 4, 9]) as n;
select is(
  array(
    select event.id
    from app.newest_events((tests.minutes_ago(1), ids[4], app.now(), '1:1:', 'recent', '')::app.feed_position, 9, '{}') as event
  ),
  ids[5:], 'newest_events continues between events of one moment'
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
returns text
language plpgsql
as $$
begin
  delete from app.feed_events;
  perform app.record_activity('voted', tests.id(name), p.id, app.now())
  from unnest(array['one', 'two', 'three']) as name
  join posts as p on p.is_first = (name = p_first);
  return tests.value_as('maya', '(select event.id from app.newest_events(tests.cursor_after(), 1, ''{}'') as event)') ->> 0;
end
$$;

select is(
  pg_temp.newest(name), (select p.id::text from posts as p where p.is_first),
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

select is(
  array(select pg_temp.is_shown(tests.minutes_ago(age)) from unnest(array[5, 3]) as age), '{t,f}',
  'an own share before the cursor has shown the post, and an own share after it has not'
);
select tests.follow('maya', 'lena');
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(9));
select ok(not pg_temp.is_shown(), 'an own share has not shown a post that a source''s activity places lower');

rollback to empty;

-- shown_before counts events before the cursor that counted at some time since the first page.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.follow('maya', 'lena');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;

select is(pg_temp.shows(actor, age, 5, hub, ended_by, null, post), expected, title)
from (
  values
    ('lena', 'trams', 4, null, null::xid8, true, 'an event before the cursor has shown the post'),
    ('lena', 'trams', 5, null, null, true, 'an event at the cursor position has shown the post'),
    ('lena', 'trams', 6, null, null, false, 'an event after the cursor has not shown the post'),
    ('lena', 'trams', -1, null, null, false, 'a future event has not shown the post'),
    ('lena', 'trams', 4, null, '12', true, 'an event lost after the first page has shown the post'),
    ('lena', 'trams', 4, null, '9', false, 'an event lost before the first page has not shown the post'),
    ('amara', 'trams', 4, null, null, false, 'an event of a user who is no source has not shown the post'),
    ('amara', 'trams', 4, 'elm', null, true, 'an event in the caller''s Hub has shown the post'),
    ('amara', 'trams', 4, 'ash', null, false, 'an event in another Hub has not shown the post'),
    ('maya', 'trams', 4, 'elm', null, false, 'the caller''s own vote has not shown the post'),
    ('lena', 'bikes', 4, null, null, false, 'an event of another post has not shown the post')
) as c (actor, post, age, hub, ended_by, expected, title);

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
create function pg_temp.shown_with_former(p_reader text, p_source text, p_ended_by xid8)
returns boolean
language sql
as $$
  update app.former_sources set user_id = tests.id(p_reader), source_id = tests.id(p_source), ended_by = p_ended_by;
  select pg_temp.is_shown()
$$;
select is(pg_temp.shown_with_former(reader, source, ended_by), expected, title)
from (
  values
    ('maya', 'lena', xid8 '12', true, 'activity of a user unfollowed since the first page has shown the post'),
    ('maya', 'lena', '9', false, 'activity of a user unfollowed before the first page has not shown the post'),
    ('maya', 'ash', '12', true, 'activity in a Hub left since the first page has shown the post'),
    ('amara', 'ash', '12', false, 'activity in a Hub that another user left has not shown the post')
) as c (reader, source, ended_by, expected, title);

select tests.follow('maya', 'lena');
delete from app.former_sources;
create function pg_temp.shown_despite_block(p_blocked integer, p_began integer)
returns boolean
language sql
as $$
  delete from app.blocks;
  insert into app.blocks (blocker_id, blocked_id, created_at)
  values (tests.id('lena'), tests.id('maya'), tests.minutes_ago(p_blocked));
  select pg_temp.is_shown(p_began_at => tests.minutes_ago(p_began))
$$;
select is(pg_temp.shown_despite_block(blocked, began), expected, title)
from (
  values
    (3, 3, false, 'activity of a pair blocked with the first page has not shown the post'),
    (2, 3, true, 'activity of a pair blocked since the first page has shown the post'),
    (2, 5, false, 'activity after the first page of a pair blocked since has not shown the post')
) as c (blocked, began, expected, title);
delete from app.blocks;
insert into app.account_deletions (user_id, deleted_at) values (tests.id('lena'), tests.minutes_ago(5));
select ok(not pg_temp.is_shown(), 'activity of an account deleted before the first page has not shown the post');
delete from app.feed_events;
select tests.placement('trams', 'elm', tests.minutes_ago(4));
select ok(pg_temp.is_shown(), 'a targeted post by a hidden user has been shown in their Hub');
update app.feed_events set kind = 'shared_to_hub';
select ok(pg_temp.is_shown(), 'a share into a Hub by a hidden user has shown the post');

rollback to empty;

-- shown_before counts the events of a lost stream only if they came before page one.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;
create function pg_temp.shown_after_leaving(p_hub text, p_left integer, p_began integer)
returns boolean
language sql
as $$
  delete from app.feed_events;
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
  values (tests.id(p_hub), tests.id('jonas'), tests.id('trams'), 'voted', tests.minutes_ago(4));
  delete from app.former_sources;
  insert into app.former_sources (user_id, source_id, ended_at, ended_by)
  values (tests.id('maya'), tests.id(p_hub), tests.minutes_ago(p_left), '12');
  select pg_temp.is_shown(p_began_at => tests.minutes_ago(p_began))
$$;
select is(pg_temp.shown_after_leaving(hub, lost, began), expected, title)
from (
  values
    ('ash', 2, 3, true, 'activity before the first page in a Hub left since has shown the post'),
    ('ash', 3, 5, false, 'activity between the first page and the leaving of a Hub has not shown the post'),
    ('ash', 5, 6, false, 'activity in a Hub after the caller left it has not shown the post'),
    ('elm', 5, 6, true, 'activity in a Hub that the caller left and joined again has shown the post')
) as c (hub, lost, began, expected, title);

rollback to empty;

-- shown_before probes each source for a post with more events than it reads.
select tests.elm();
select tests.post('trams', 'lena'), tests.post('bikes', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 250) as n;
delete from app.feed_events;
insert into app.feed_events (actor_id, post_id, kind, occurred_at)
select tests.id('voter ' || n), tests.id('trams'), 'voted', tests.minutes_ago(1) from generate_series(1, 250) as n;

select ok(not pg_temp.is_shown(), '250 votes by users who are no sources have not shown the post');
select is(pg_temp.shows(actor, age, cursor_age, 'elm', ended_by, blocked, post), expected, title)
from (
  values
    ('jonas', 'trams', 4, 5, null::xid8, null::integer, true, 'a source''s vote below 250 newer ones has shown the post'),
    ('jonas', 'trams', 4, 4, null, null, true, 'a source''s vote at the cursor has shown a viral post'),
    ('jonas', 'trams', 4, 3, null, null, false, 'a source''s vote after the cursor has not shown a viral post'),
    ('jonas', 'trams', -1, 5, null, null, false, 'a source''s future vote has not shown a viral post'),
    ('jonas', 'trams', 4, 5, null, -1, true, 'a vote of a pair blocked since the first page has shown a viral post'),
    ('jonas', 'trams', 4, 5, null, 60, false, 'a vote of a blocked pair has not shown a viral post'),
    ('maya', 'trams', 4, 5, null, null, false, 'the caller''s own vote has not shown a viral post'),
    ('jonas', 'bikes', 4, 5, null, null, false, 'a source''s vote on another post has not shown a viral post'),
    ('amara', 'trams', 0, 5, '12', null, true, 'a source''s event lost since the first page has shown a viral post')
) as c (actor, post, age, cursor_age, ended_by, blocked, expected, title);

rollback to empty;

-- default_entries leaves out what the home feed has shown before the caller lost their last source.
select tests.person('maya'), tests.person('jonas'), tests.person('ann');
insert into app.default_feed_users (user_id) values (tests.id('ann'));
select tests.post('trams', 'ann');
update app.posts set created_at = tests.minutes_ago(60);
delete from app.feed_events;
select tests.record_activity('voted', 'jonas', 'trams', tests.minutes_ago(4));
create function pg_temp.default_after(p_cursor_age integer, p_ended_by xid8)
returns jsonb
language sql
as $$
  delete from app.former_sources;
  insert into app.former_sources (user_id, source_id, ended_by) values (tests.id('maya'), tests.id('jonas'), p_ended_by);
  select tests.value_as('maya', format('array(select (entry).id from unnest(app.default_entries(%L, 9)) as entry)', (
    tests.minutes_ago(p_cursor_age), tests.id('trams'), app.now(), '10:10:', 'recent', 'home'
  )::app.feed_position))
$$;
select is(pg_temp.default_after(cursor_age, ended_by), to_jsonb(expected), title)
from (
  values
    (4, xid8 '12', '{}'::uuid[], 'the default feed omits a post that a source has shown which the caller lost since the first page'),
    (5, '12', '{}', 'the default feed omits a post that a lost source has shown on an earlier page'),
    (4, '9', tests.ids('trams'), 'the default feed lists a post of a source that the caller had lost before the first page')
) as c (cursor_age, ended_by, expected, title);

select * from finish();
rollback;
