begin;
select plan(90);

-- A page of the home feed: "trams voted -5" is a post that a vote placed five minutes ago.
create function pg_temp.home_entries(p_limit integer, p_after app.feed_cursor default tests.cursor_after())
returns text[]
language sql
return tests.describe_entries(app.home_entries(p_after, p_limit));

-- Whether Maya's home feed had the post trams at or above a position at page one, p_began minutes ago.
-- Transaction 10 is the first after page one.
create function pg_temp.is_shown(p_at timestamptz default tests.minutes_ago(5), p_began integer default 0)
returns boolean
language sql
return tests.value_for('maya', format(
  'app.home_posts(%L, %L, %L, %L)', tests.ids('trams', 'bikes'),
  (p_at, tests.id('trams'), tests.minutes_ago(p_began), '10:10:', 'recent', true, 'home')::app.feed_cursor,
  p_at, tests.id('trams')
)) = to_jsonb(tests.ids('trams'));

-- Whether it had trams given an event p_age minutes ago, which transaction p_begun_by recorded and p_ended_by ended.
-- It takes the event back.
create function pg_temp.shows(
  p_actor text, p_post text, p_age integer, p_cursor integer, p_hub text default null, p_begun_by xid8 default '9',
  p_ended_by xid8 default null
)
returns boolean
language plpgsql
as $$
declare
  v_shows boolean;
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, begun_by, ended_at, ended_by)
  values (
    tests.id(p_hub), tests.id(p_actor), tests.id(p_post), 'voted', tests.minutes_ago(p_age), p_begun_by,
    case when p_ended_by is not null then app.now() end, p_ended_by
  );
  v_shows := pg_temp.is_shown(tests.minutes_ago(p_cursor));
  raise division_by_zero;
exception when division_by_zero then
  return v_shows;
end
$$;

-- What has changed so far was so before page one.
create function pg_temp.settle()
returns void
language sql
as $$
  delete from app.feed_changes;
  update app.feed_events set begun_by = '9';
$$;
savepoint empty;

-- events_at omits ended events, the activity of hidden users, and the caller's own activity.
-- docs/product.md P20, F8
select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'jonas', 'elm');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.record_activity('voted', name, 'trams') from unnest(array['jonas', 'amara']) as name;
delete from app.feed_events where kind = 'published' and hub_id is null;
-- Of Jonas's events, one has ended.
update app.feed_events set ended_at = app.now(), ended_by = '3' where kind = 'voted' and source_id = tests.id('elm');
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
create function pg_temp.events_after(p_change text, p_source text default 'app.events_at')
returns text
language plpgsql
as $$
declare
  v_events text;
begin
  execute p_change;
  execute format(
    'select string_agg(
      concat_ws('' '', p.thought_text, e.kind, u.username), '', '' order by p.thought_text, e.kind, u.username
    )
    from %s(tests.cursor_after()) as e
    join app.posts as p on p.id = e.post_id
    left join app.profiles as u on u.user_id = e.actor_id',
    p_source
  ) into v_events;
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
      'events_at holds the activity and the placements of other users, and no ended event'
    ),
    (
      $$ update app.feed_events set actor_id = null where kind = 'shared_to_hub' $$,
      'locked targeted jonas, trams voted amara, trams voted jonas, trams shared_to_hub',
      'events_at holds shares by erased accounts'
    )
) as c (change, events, title);
select is(
  pg_temp.events_after(change), 'locked targeted jonas, trams voted amara, trams shared_to_hub jonas',
  'events_at keeps only placements of a user ' || title
)
from (
  values
    ($$ select tests.block('jonas', 'maya') $$, 'who has blocked the caller'),
    ($$ select tests.block('maya', 'jonas') $$, 'whom the caller has blocked'),
    ($$ select tests.account_deletion('jonas') $$, 'who has deleted their account')
) as c (change, title);
select tests.record_activity(kind, 'maya', 'trams')
from unnest(array['voted', 'commented', 'reposted', 'shared_to_feed']::app.feed_event_kind[]) as kind;
select tests.post('bikes', 'maya');
select tests.discussion('own locked', 'maya', 'elm');
delete from app.feed_events where actor_id <> tests.id('maya') or hub_id is not null and kind <> 'targeted';
select is(
  pg_temp.events_after($$
    insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
    values (tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', app.now())
  $$),
  'bikes published maya, own locked targeted maya',
  'events_at keeps only posts and targets of the caller''s own activity'
);
select is(
  pg_temp.events_after(
    $$
      insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
      select tests.id('elm'), tests.id(name), tests.id('trams'), 'shared_to_hub', app.now()
      from unnest(array['maya', 'jonas']) as name
    $$, 'app.own_shares_at'
  ),
  'trams shared_to_hub maya', 'own_shares_at holds only shares of the caller into Hubs'
);

rollback to empty;

-- home_entries lists each post once, at its newest event (docs/product.md F1).
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

select tests.act_for('maya');
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
select tests.act_for('maya');
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
select tests.record_activity(
  'voted', 'lena', 'hidden ' || n, tests.minutes_ago(1 + n)
) from generate_series(1, 30) as n;
select tests.record_activity('commented', 'lena', 'trams', tests.minutes_ago(40));
select tests.record_activity('voted', 'lena', 'bikes', tests.minutes_ago(41));
select tests.record_activity('voted', 'lena', 'cars', tests.minutes_ago(41));

select tests.act_for('maya');
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
update app.feed_events set begun_by = '3';
update app.feed_events
set ended_at = app.now(), ended_by = '12'
where kind = 'commented' and post_id = tests.id('cars');
delete from app.feed_changes;
select tests.act_for('maya');
select is(
  pg_temp.home_entries(9, tests.cursor_after(tests.minutes_ago(0), p_seen => '10:10:')),
  array['trams voted -1', 'cars commented -2', 'bikes voted -41'],
  'a post keeps its position of page one although its newest event has ended since'
);

rollback to empty;

-- home_entries shows the feed of page one, whatever was bumped since (docs/product.md F2).
select tests.person(name) from unnest(array['maya', 'lena', 'ann']) as name;
select tests.follow('maya', 'lena');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars']) as name;
delete from app.feed_events;
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(3));
select tests.record_activity('commented', 'lena', 'bikes', tests.minutes_ago(4));
select tests.record_activity('commented', 'lena', 'cars', tests.minutes_ago(5));
select pg_temp.settle();
create temporary table page_one as
select (
  tests.minutes_ago(3), tests.id('trams'), tests.minutes_ago(2), '10:10:', 'recent', true, 'home'
)::app.feed_cursor as place;
grant select on page_one to authenticated;
select tests.record_activity(
  'commented', 'lena', name, tests.minutes_ago(1)
) from unnest(array['bikes', 'trams']) as name;
select tests.post('new', 'lena');
select tests.act_for('maya');
select is(
  pg_temp.home_entries(9, place), array['bikes commented -4', 'cars commented -5'],
  'a later page shows a bumped post at its position of page one, and no new post'
)
from page_one;
reset role;
delete from app.follows;
select tests.follow('maya', 'lena');
delete from app.follows;
select tests.act_for('maya');
select is(
  pg_temp.home_entries(9, place), array['bikes commented -4', 'cars commented -5'],
  'a later page reads a source that was left, followed and left again since page one'
)
from page_one;
reset role;
select tests.block('maya', 'lena');
select tests.act_for('maya');
select is(
  pg_temp.home_entries(9, place), array['bikes commented -4', 'cars commented -5'],
  'a later page keeps the posts of others on which a source was active that is blocked since page one'
)
from page_one;
reset role;
delete from app.blocks;
reset role;
select tests.block('maya', 'ann');
select tests.act_for('maya');
select is(pg_temp.home_entries(9, place), '{}', 'a later page omits posts of an author blocked since page one')
from page_one;
reset role;
select tests.follow('maya', 'lena');
select pg_temp.settle();
delete from app.blocks;
select tests.act_for('maya');
select is(pg_temp.home_entries(9, place), '{}', 'a later page omits posts of an author unblocked since page one')
from page_one;

rollback to empty;

-- home_reasons returns the first reason that applies to each post (docs/product.md F10).
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
return app.home_reasons(
  array(
    select tests.feed_entry(name, p_kind => p_kind)
    from unnest(p_posts) with ordinality as given (name, place)
    order by place
  ),
  tests.cursor_after()
);

select tests.act_for('maya');
select is(
  pg_temp.reasons(
    'shared_to_hub', 'shared', 'both', 'of enno', 'locked', 'of amara', 'of jonas', 'of lena', 'own locked', 'own'
  ),
  array[
    'shared_to_hub', 'friend_interaction', 'joined_hub_post', 'joined_hub_post', 'hub_co_member_author',
    'followed_author',
    'followed_author', 'own_post', 'own_post'
  ],
  'home_reasons returns the first reason that applies, in post order'
);
select is(
  pg_temp.reasons('commented', 'acted on', 'shared'), array['friend_interaction', 'friend_interaction'],
  'the activity that placed a post is a friend interaction'
);
select tests.act_for('jonas');
select is(
  pg_temp.reasons('voted', 'of lena', 'own', 'of amara', 'of jonas'),
  array['friend_interaction', 'hub_co_member_author', 'hub_co_member_author', 'own_post'],
  'home_reasons depends on the caller''s follows and Hubs'
);

rollback to empty;

-- is_home_post requires more than the caller's own share into a Hub (docs/product.md F9).
select tests.elm();
select tests.person('olga', 3);
select tests.follow('maya', 'lena');
select tests.post(name, 'olga') from unnest(array['shared', 'voted', 'other', 'of olga']) as name;
delete from app.feed_events;
select tests.post('own', 'maya');
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('maya'), tests.id('shared'), 'shared_to_hub', tests.minutes_ago(4));
select tests.record_activity('targeted', 'lena', 'voted', tests.minutes_ago(3));
select tests.record_activity('voted', 'olga', 'of olga', tests.minutes_ago(3));

create function pg_temp.is_home(p_post text, p_began_at timestamptz)
returns boolean
language plpgsql
as $$
declare
  v_place app.feed_cursor := tests.cursor_after();
begin
  v_place.began_at := p_began_at;
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', tests.id('maya'), 'role', 'authenticated')::text, true
  );
  return app.is_home_post(tests.id(p_post), v_place);
end
$$;

select is(pg_temp.is_home(post, tests.minutes_ago(began)), expected, title)
from (
  values
    ('shared', 2, false, 'the caller''s own share alone makes no home post'),
    ('voted', 2, true, 'activity of a followed user makes a home post'),
    ('of olga', 2, false, 'activity of a user who is no source makes no home post'),
    ('own', 0, true, 'the caller''s own post is a home post'),
    ('voted', 5, false, 'activity after the first page makes no home post')
) as c (post, began, expected, title);

rollback to empty;

-- newest_events reads the sources of followed users and joined Hubs, and the caller's own posts.
-- docs/product.md F5
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
  p_limit integer, p_after app.feed_cursor default tests.cursor_after(), p_except text[] default '{}'
)
returns text[]
language sql
return tests.describe_entries(
  array(
    select (event.at, event.id, event.kind, null)::app.feed_entry
    from unnest(app.newest_events(p_after, p_limit, tests.ids(variadic p_except))) as event
  )
);

select tests.act_for('maya');
select is(pg_temp.events(page_size, after, known), expected, title)
from (
  values
    (
      9, tests.cursor_after(), '{}'::text[],
      array[
        'bikes commented -3', 'own published -4', 'trams voted -5', 'cars shared_to_hub -6', 'far shared_to_hub -7'
      ],
      'newest_events lists events of followed users and Hubs, own public posts, and own shares that alone bring a post'
    ),
    (
      2, tests.cursor_after(tests.minutes_ago(4), 'own'), '{}', array['trams voted -5', 'cars shared_to_hub -6'],
      'newest_events continues after an own post'
    ),
    (
      9, tests.cursor_after(tests.minutes_ago(5), 'trams'), '{}',
      array['cars shared_to_hub -6', 'far shared_to_hub -7'],
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
select tests.act_for('maya');
select is(
  pg_temp.events(2), array['own 1 published -1', 'own 2 published -2'],
  'newest_events returns the newest of many own posts'
);

rollback to empty;

-- newest_events merges sources in order of time, then of post id.
select tests.person(name) from unnest(array['maya', 'one', 'two', 'three', 'author']) as name;
select tests.follow('maya', name) from unnest(array['one', 'two', 'three']) as name;
select tests.post(n::text, 'author') from generate_series(1, 9) as n;
delete from app.feed_events;
-- The number of a post is its age.
select tests.record_activity('voted', 'one', n::text, tests.minutes_ago(n)) from unnest(array[1, 2, 3, 8]) as n;
select tests.record_activity('voted', 'two', n::text, tests.minutes_ago(n)) from unnest(array[4, 5, 9]) as n;
select tests.record_activity('voted', 'three', n::text, tests.minutes_ago(n)) from unnest(array[6, 7]) as n;

create function pg_temp.ages(
  p_limit integer, p_after app.feed_cursor default tests.cursor_after(), p_except text[] default '{}'
)
returns text
language sql
return array_to_string(
  tests.thoughts(array(
    select event.id from unnest(app.newest_events(p_after, p_limit, tests.ids(variadic p_except))) as event
  )),
  ' '
);

select tests.act_for('maya');
select is(
  array(select pg_temp.ages(n) from generate_series(1, 9) as n),
  array[
    '1', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 5', '1 2 3 4 5 6', '1 2 3 4 5 6 7', '1 2 3 4 5 6 7 8', '1 2 3 4 5 6 7 8 9'
  ],
  'newest_events merges three sources in time order for every page size'
);
select is(pg_temp.ages(page_size, after, known), expected, title)
from (
  values
    (
      3, tests.cursor_after(tests.minutes_ago(4), '4'), '{}'::text[], '5 6 7',
      'newest_events merges sources after a cursor'
    ),
    (
      1, tests.cursor_after(tests.minutes_ago(3), '3'), '{}', '4',
      'newest_events switches to another source right after the cursor'
    ),
    (3, tests.cursor_after(), array['1', '2', '4', '6'], '3 5 7', 'newest_events skips known posts in every source')
) as c (page_size, after, known, expected, title);
reset role;
update app.feed_events set occurred_at = tests.minutes_ago(1);
select tests.act_for('maya');
create temporary table ordered as
select array(select id from generate_series(1, 9) as n, tests.id(n::text) as id order by id desc) as ids;
select is(
  array(select event.id from unnest(app.newest_events(tests.cursor_after(), n, '{}')) as event), ids[:n],
  format('the newest %s events of one moment come by post id, descending', n)
)
from ordered, unnest(array[1, 4, 9]) as n;
select is(
  array(
    select event.id
    from unnest(app.newest_events(
      (tests.minutes_ago(1), ids[4], app.now(), tests.snapshot_after_test(), 'recent', true, '')::app.feed_cursor, 9,
      '{}'
    )) as event
  ),
  ids[5:], 'newest_events continues between events of one moment'
)
from ordered;

rollback to empty;

-- newest_events picks the first post of one moment from whichever source holds it.
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
  return tests.value_for(
    'maya', '(select event.id from unnest(app.newest_events(tests.cursor_after(), 1, ''{}'')) as event)'
  ) ->> 0;
end
$$;

select is(
  pg_temp.newest(name), (select p.id::text from posts as p where p.is_first),
  'newest_events finds the highest post id of one moment in source ' || name
)
from unnest(array['one', 'two', 'three']) as name;

rollback to empty;

-- home_posts ignores the caller's own shares.
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, begun_by)
values (tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.minutes_ago(4), '9');
delete from app.feed_changes;
select ok(not pg_temp.is_shown(), 'an own share does not place a post that other activity may place lower');
select tests.act_for('maya');
select is(
  pg_temp.home_entries(9, tests.cursor_after(tests.minutes_ago(age), 'trams', '10:10:')), expected,
  'an own share alone places a post ' || title
)
from (
  values (3, array['trams shared_to_hub -4'], 'below a newer position'), (5, '{}', 'not below an older position')
) as c (age, expected, title);

rollback to empty;

-- home_posts counts the events of page one at or above a position.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.follow('maya', 'lena');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
delete from app.feed_events;
select pg_temp.settle();

select is(pg_temp.shows(actor, post, age, 5, hub, begun_by, ended_by), expected, title)
from (
  values
    ('lena', 'trams', 4, null, xid8 '9', null::xid8, true, 'an event above the position has shown the post'),
    ('lena', 'trams', 4, null, null, null, true, 'a vote without a transaction has shown the post'),
    ('lena', 'trams', 5, null, '9', null, true, 'an event at the position has shown the post'),
    ('lena', 'trams', 6, null, '9', null, false, 'an event below the position has not shown the post'),
    ('lena', 'trams', -1, null, '9', null, false, 'a future event has not shown the post'),
    ('lena', 'trams', 4, null, '12', null, false, 'an event recorded since page one has not shown the post'),
    ('lena', 'trams', 4, null, '9', '12', true, 'an event ended since page one has shown the post'),
    ('lena', 'trams', 4, null, '8', '9', false, 'an event ended before page one has not shown the post'),
    ('amara', 'trams', 4, null, '9', null, false, 'an event of a user who is no source has not shown the post'),
    ('amara', 'trams', 4, 'elm', '9', null, true, 'an event in the caller''s Hub has shown the post'),
    ('amara', 'trams', 4, 'ash', '9', null, false, 'an event in another Hub has not shown the post'),
    ('maya', 'trams', 4, 'elm', '9', null, false, 'the caller''s own vote has not shown the post'),
    ('lena', 'bikes', 4, null, '9', null, false, 'an event of another post has not shown the post')
) as c (actor, post, age, hub, begun_by, ended_by, expected, title);

rollback to empty;

-- home_posts reads the sources of page one, without the users hidden then (docs/product.md F2).
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'amara');
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.record_activity('voted', 'lena', 'trams', tests.minutes_ago(4));
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('ash'), tests.id('jonas'), tests.id('trams'), 'voted', tests.minutes_ago(4));
select pg_temp.settle();

-- Whether Maya's feed had trams after changes: each at a transaction, or undone by the next one.
create function pg_temp.shown_after(variadic p_changes text[])
returns boolean
language plpgsql
as $$
declare
  v_change text;
  v_shows boolean;
begin
  foreach v_change in array p_changes loop
    execute split_part(v_change, ' by ', 1);
    update app.feed_changes
    set changed_by = split_part(v_change, ' by ', 2)::xid8
    where changed_by = pg_current_xact_id();
  end loop;
  v_shows := pg_temp.is_shown();
  raise division_by_zero;
exception when division_by_zero then
  return v_shows;
end
$$;
select is(pg_temp.shown_after(variadic changes), expected, title)
from (
  values
    (array['delete from app.follows by 12'], true, 'activity of a user unfollowed since page one has shown the post'),
    (
      array['delete from app.follows by 9'], false,
      'activity of a user unfollowed before page one has not shown the post'
    ),
    (
      array['delete from app.follows by 9', $$ select tests.follow('maya', 'lena') by 12 $$], false,
      'activity of a user followed since page one has not shown the post'
    ),
    (
      array['delete from app.follows by 12', $$ select tests.follow('maya', 'lena') by 13 $$], true,
      'activity of a user unfollowed and followed again since page one has shown the post'
    ),
    (
      array[
        'delete from app.follows by 12', $$ select tests.follow('maya', 'lena') by 13 $$,
        'delete from app.follows by 14'
      ],
      true, 'activity of a user unfollowed, followed and unfollowed since page one has shown the post'
    ),
    (
      array['delete from app.follows by 9', $$ select tests.membership('ash', 'maya') by 12 $$], false,
      'activity in a Hub joined since page one has not shown the post'
    ),
    (
      array[
        'delete from app.follows by 9', $$ select tests.membership('ash', 'maya') by 9 $$,
        $$ delete from app.memberships where user_id = tests.id('maya') by 12 $$
      ],
      true, 'activity in a Hub left since page one has shown the post'
    ),
    (
      array[
        'delete from app.follows by 9', $$ select tests.membership('ash', 'amara') by 9 $$,
        $$ delete from app.memberships where user_id = tests.id('amara') by 12 $$
      ],
      false, 'activity in a Hub that another user left has not shown the post'
    ),
    (
      array[$$ select tests.block('lena', 'maya') by 12 $$], true,
      'activity of a pair blocked since page one has shown the post'
    ),
    (
      array[$$ select tests.block('lena', 'maya') by 9 $$], false,
      'activity of a pair blocked before page one has not shown the post'
    ),
    (
      array[$$ select tests.block('maya', 'lena') by 9 $$, 'delete from app.blocks by 12'], false,
      'activity of a pair unblocked since page one has not shown the post'
    ),
    (
      array[
        $$ select tests.block('maya', 'lena') by 9 $$, $$ select tests.block('lena', 'maya') by 9 $$,
        $$ delete from app.blocks where blocker_id = tests.id('lena') by 12 $$
      ],
      false, 'activity of a pair that blocked each other, of whom one unblocked since, has not shown the post'
    ),
    (
      array[$$ insert into app.suspensions (user_id) values (tests.id('lena')) by 12 $$], true,
      'activity of a user suspended since page one has shown the post'
    ),
    (
      array[
        $$ insert into app.suspensions (user_id) values (tests.id('lena')) by 9 $$, 'delete from app.suspensions by 12'
      ],
      false, 'activity of a user restored since page one has not shown the post'
    ),
    (
      array[$$ select tests.account_deletion('lena') by 9 $$], false,
      'activity of an account deleted before page one has not shown the post'
    )
) as c (changes, expected, title);
delete from app.follows;
select tests.block('amara', 'maya');
delete from app.feed_events;
select tests.placement('trams', 'elm', tests.minutes_ago(4), p_by => 'amara');
select pg_temp.settle();
select ok(pg_temp.is_shown(), 'a targeted post by a hidden user has been shown in their Hub');
update app.feed_events set kind = 'shared_to_hub';
select ok(pg_temp.is_shown(), 'a share into a Hub by a hidden user has shown the post');

rollback to empty;

-- home_posts probes each source for a post with more events than it reads.
select tests.elm();
select tests.post('trams', 'lena'), tests.post('bikes', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 250) as n;
delete from app.feed_events;
insert into app.feed_events (actor_id, post_id, kind, occurred_at)
select tests.id('voter ' || n), tests.id('trams'), 'voted', tests.minutes_ago(1) from generate_series(1, 250) as n;
select pg_temp.settle();

select ok(not pg_temp.is_shown(), '250 votes by users who are no sources have not shown the post');
select is(pg_temp.shows(actor, post, age, cursor_age, 'elm', begun_by, ended_by), expected, title)
from (
  values
    ('jonas', 'trams', 4, 5, xid8 '9', null::xid8, true, 'a source''s vote below 250 newer ones has shown the post'),
    ('jonas', 'trams', 4, 4, '9', null, true, 'a source''s vote at the position has shown a viral post'),
    ('jonas', 'trams', 4, 3, '9', null, false, 'a source''s vote below the position has not shown a viral post'),
    ('jonas', 'trams', -1, 5, '9', null, false, 'a source''s future vote has not shown a viral post'),
    ('jonas', 'trams', 4, 5, '12', null, false, 'a source''s vote recorded since page one has not shown a viral post'),
    ('maya', 'trams', 4, 5, '9', null, false, 'the caller''s own vote has not shown a viral post'),
    ('jonas', 'bikes', 4, 5, '9', null, false, 'a source''s vote on another post has not shown a viral post'),
    ('amara', 'trams', 0, 5, '9', '12', true, 'a source''s event ended since page one has shown a viral post')
) as c (actor, post, age, cursor_age, begun_by, ended_by, expected, title);
select tests.block('jonas', 'maya');
select pg_temp.settle();
select ok(not pg_temp.shows('jonas', 'trams', 4, 5, 'elm'), 'a vote of a blocked pair has not shown a viral post');

rollback to empty;

-- default_entries lists the posts of the default feed users of page one.
select tests.person('maya'), tests.person('ann'), tests.person('olga');
select tests.post('trams', 'ann'), tests.post('bikes', 'olga'), tests.post('new', 'ann');
update app.posts set created_at = tests.minutes_ago(9) where thought_text <> 'new';
insert into app.default_feed_users (user_id) values (tests.id('ann'));
select pg_temp.settle();
create function pg_temp.defaults()
returns text[]
language sql
return tests.thoughts(array(
  select (entry).id
  from unnest(app.default_entries((
    tests.minutes_ago(1), tests.id('trams'), tests.minutes_ago(2), '10:10:', 'recent', false, 'home'
  )::app.feed_cursor, 9)) as entry
));
select is(pg_temp.defaults(), '{trams}', 'the default feed omits posts published since page one');
insert into app.default_feed_users (user_id) values (tests.id('olga'));
delete from app.default_feed_users where user_id = tests.id('ann');
select is(pg_temp.defaults(), '{trams}', 'the default feed lists the users of page one, and none chosen since');

select * from finish();
rollback;
