begin;
select plan(103);
savepoint empty;

-- has_other_activity: is by sources other than into hubs
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;

create function pg_temp.is_acted_on()
returns boolean
language plpgsql
as $$
declare
  v_is_acted_on boolean;
begin
  perform tests.authenticate_as('maya');
  v_is_acted_on := app.has_other_activity(tests.id('trams'));
  perform set_config('role', 'none', true);
  return v_is_acted_on;
end
$$;

select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select ok(not pg_temp.is_acted_on(), 'not by a share into a Hub');
select tests.did('voted', 'maya', 'trams');
select ok(not pg_temp.is_acted_on(), 'nor by what one did oneself');
select tests.did('voted', 'lena', 'trams');
select ok(not pg_temp.is_acted_on(), 'nor by what somebody else did');
select tests.did('voted', 'jonas', 'trams', app.now() + interval '1 second');
select ok(not pg_temp.is_acted_on(), 'nor by what does not count yet');
select app.set_clock_offset('1 second');
select ok(pg_temp.is_acted_on(), 'once it does, by what members of one''s Hubs do');
select ok(not app.has_other_activity(tests.id('bikes')), 'with that post');
update app.feed_events set lost_at = app.now(), lost_by = '3';
select ok(not pg_temp.is_acted_on(), 'as long as it is not lost');
select tests.did('voted', 'lena', 'trams');
select tests.follow('maya', 'lena');
select ok(pg_temp.is_acted_on(), 'and by what those do whom one follows');
select set_eq($$ select tests.who_may('select app.has_other_activity(null)') $$, array['authenticated'], 'it is asked for in one''s own name');

rollback to empty;

-- counted_events: leave out hidden users
select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'jonas', 'elm');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.did('voted', name, 'trams') from unnest(array['jonas', 'amara']) as name;

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
  array['trams voted', 'trams voted in elm', 'trams voted', 'trams voted in elm', 'locked targeted in elm', 'trams shared_to_hub in elm'], 'what others have done'
);
update app.feed_events set lost_at = app.now(), lost_by = '3' where actor_id = tests.id('amara');
select bag_eq(
  'select pg_temp.events()', array['trams voted', 'trams voted in elm', 'locked targeted in elm', 'trams shared_to_hub in elm'], 'as long as it is not lost'
);
select tests.block('jonas', 'maya');
select bag_eq('select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'], 'of who has blocked one, only what they placed in a Hub of both');
update app.blocks set blocker_id = tests.id('maya'), blocked_id = tests.id('jonas');
select bag_eq('select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'], 'nor of whom one has blocked');
delete from app.blocks;
insert into app.account_deletions (user_id) values (tests.id('jonas'));
select bag_eq('select pg_temp.events()', array['locked targeted in elm', 'trams shared_to_hub in elm'], 'nor of who has left');
delete from app.account_deletions;
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
select ok('trams shared_to_hub in elm' in (select pg_temp.events()), 'what somebody placed counts also when they are gone');

rollback to empty;

-- default_entries: are of whom staff chose
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.default_feed_users (user_id) select tests.id(name) from unnest(array['maya', 'jonas']) as name;
insert into app.posts (id, author_id, thought_text, visibility, created_at)
values
  (tests.id('trams'), tests.id('maya'), 'trams', 'public', tests.ago(1)),
  (tests.id('bikes'), tests.id('jonas'), 'bikes', 'public_hub', tests.ago(2)),
  (tests.id('cars'), tests.id('maya'), 'cars', 'public', tests.ago(4)),
  (tests.id('locked'), tests.id('maya'), 'locked', 'private_locked_hub', tests.ago(3)),
  (tests.id('of lena'), tests.id('lena'), 'of lena', 'public', tests.ago(3));
select tests.did('voted', 'jonas', 'cars');

create function pg_temp.entries(p_limit integer, p_after app.feed_position default tests.behind())
returns text[]
language sql
return tests.entries(app.default_entries(p_after, p_limit));

select tests.authenticate_as_guest();
select is(pg_temp.entries(9), array['trams published -1', 'bikes published -2', 'cars published -4'], 'what they published, the newest first');
select is(pg_temp.entries(2), array['trams published -1', 'bikes published -2'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(2), 'bikes')), array['cars published -4'], 'behind a place');
select tests.authenticate_as('maya');
select is(pg_temp.entries(9), array['trams published -1', 'bikes published -2', 'cars published -4'], 'private posts are not even shown to who wrote them');
reset role;
update app.posts set created_at = app.now();
select tests.authenticate_as_guest();
select is(
  array(select id from unnest(app.default_entries(tests.behind(), 9))),
  array(select id from unnest(tests.ids('trams', 'bikes', 'cars')) as id order by id desc), 'what is of one moment is in the order of ids'
);

rollback to empty;

-- feed_activity: leave out ones own
select tests.elm();
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya');
select tests.discussion('locked', 'maya', 'elm');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.did(kind, 'maya', 'trams') from unnest(array['voted', 'commented', 'reposted', 'shared_to_feed']::app.feed_event_kind[]) as kind;
select tests.did('voted', 'jonas', 'bikes');
delete from app.feed_events where hub_id is not null and kind not in ('targeted', 'shared_to_hub');

create function pg_temp.acts()
returns setof text
language sql
as $$ select p.thought_text || ' ' || a.kind || case when a.is_own_share then ' (own share)' else '' end from app.feed_activity as a join app.posts as p on p.id = a.post_id $$;

select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select set_eq(
  'select pg_temp.acts()', array['trams published', 'trams shared_to_hub (own share)', 'bikes published', 'bikes voted', 'locked targeted'],
  'own activity is left out but for what was published, placed and shared into a Hub'
);
select set_config('request.jwt.claims', tests.claims('jonas')::text, true);
select set_eq(
  'select pg_temp.acts()',
  array[
    'trams published', 'trams voted', 'trams commented', 'trams reposted', 'trams shared_to_feed', 'trams shared_to_hub', 'bikes published', 'locked targeted'
  ],
  'of others it is all there'
);
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
update app.feed_events set lost_at = app.now(), lost_by = '3' where kind in ('voted', 'published');
select ok('trams shared_to_hub' in (select pg_temp.acts()), 'also of somebody who has gone');
select ok('trams voted' in (select pg_temp.acts()), 'and what is lost');

rollback to empty;

-- first_shown: is the newest of each post
select tests.elm();
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('locked', 'lena', 'private_locked_hub');
delete from app.feed_events;
select tests.follow('maya', 'jonas');
select tests.did('voted', 'jonas', 'cars', tests.ago(1));

create temporary table happened as
select array[
  tests.entry('bikes', tests.ago(3), 'voted'), tests.entry('trams', tests.ago(4)), tests.entry('trams', tests.ago(2), 'voted'),
  tests.entry('cars', tests.ago(5)), tests.entry('locked', tests.ago(1)), tests.entry('bikes', tests.ago(6))
] as events;
grant select on happened to authenticated;

select tests.authenticate_as('maya');
select is(
  tests.entries(app.first_shown(events, tests.behind())), array['trams voted -2', 'bikes voted -3', 'cars published -5'],
  'each where it comes first, the newest first, but what one may not see'
)
from happened;
select is(
  tests.entries(app.first_shown(events, tests.behind(tests.ago(1)))), array['trams voted -2', 'bikes voted -3', 'cars published -5'], 'and was not before'
)
from happened;
select is(
  tests.entries(app.first_shown(events, tests.behind(tests.ago(1), 'cars'))), array['trams voted -2', 'bikes voted -3'], 'as something newer showed it'
)
from happened;
select is(app.first_shown('{}', tests.behind(tests.ago(1))), '{}', 'of nothing there is none') from happened;
select is(
  array(select id from unnest(app.first_shown(array[tests.entry('trams'), tests.entry('bikes'), tests.entry('cars')], tests.behind()))),
  array(select id from unnest(tests.ids('trams', 'bikes', 'cars')) as id order by id desc), 'what is of one moment is in the order of ids'
);
reset role;
select tests.block('lena', 'maya');
select tests.authenticate_as('maya');
select is(app.first_shown(events, tests.behind()), '{}', 'nor of who has blocked one') from happened;

rollback to empty;

-- home_entries: are frames at their newest event
select tests.elm();
select tests.person('ann');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars', 'later']) as name;
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(2));
select tests.did('commented', 'jonas', 'trams', tests.ago(6));
select tests.did('voted', 'lena', 'bikes', tests.ago(5));
select tests.did('voted', 'lena', 'cars', tests.ago(9));
select tests.did('voted', 'lena', 'later', app.now() + interval '1 minute');

create function pg_temp.entries(p_limit integer, p_after app.feed_position default tests.behind())
returns text[]
language sql
return tests.entries(app.home_entries(p_after, p_limit));

select tests.authenticate_as('maya');
select is(pg_temp.entries(9), array['trams voted -2', 'bikes voted -5', 'cars voted -9'], 'each once, and not before it counts');
select is(pg_temp.entries(1), array['trams voted -2'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(2), 'trams')), array['bikes voted -5', 'cars voted -9'], 'behind its place it is not found again');
reset role;
select app.set_clock_offset('1 minute');
select tests.authenticate_as('maya');
select is((pg_temp.entries(9))[1], 'later voted', 'when it counts it is there');
select is((pg_temp.entries(9, tests.behind(app.now() - interval '1 minute')))[1], 'trams voted -3', 'a walk that is past it does not find it');
reset role;
delete from app.feed_events;
delete from app.follows;
delete from app.memberships where user_id = tests.id('maya');
select tests.authenticate_as('maya');
select is(pg_temp.entries(9), '{}', 'without sources there is nothing');
reset role;
select set_eq(
  $$ select tests.who_may('select app.home_entries(tests.behind(), 1)') $$, array['authenticated'], 'which is what a guest has'
);

rollback to empty;

-- home_entries: look as far as they must
select tests.person(name) from unnest(array['maya', 'lena', 'enemy', 'ann']) as name;
select tests.follow('maya', 'lena');
select tests.post('hidden ' || n, 'enemy') from generate_series(1, 30) as n;
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars']) as name;
delete from app.feed_events;
select tests.block('enemy', 'maya');
select tests.did('voted', 'lena', 'trams', tests.ago(1));
select tests.did('voted', 'lena', 'hidden ' || n, tests.ago(1 + n)) from generate_series(1, 30) as n;
select tests.did('commented', 'lena', 'trams', tests.ago(40));
select tests.did('voted', 'lena', 'bikes', tests.ago(41));
select tests.did('voted', 'lena', 'cars', tests.ago(41));

create function pg_temp.entries(p_limit integer, p_after app.feed_position default tests.behind())
returns text[]
language sql
return tests.entries(app.home_entries(p_after, p_limit));

select tests.authenticate_as('maya');
select is(cardinality(pg_temp.entries(2)), 2, 'a page is full, whatever there is that one may not see');
select is((pg_temp.entries(9))[1], 'trams voted -1', 'the newest first');
select is(cardinality(pg_temp.entries(9)), 3, 'each once, however far its events are from each other');
select is(
  pg_temp.entries(9, tests.behind(tests.ago(1), 'trams')), (pg_temp.entries(9))[2:], 'behind the first are the others'
);

reset role;
select tests.did('commented', 'lena', 'cars', tests.ago(2));
update app.feed_events set lost_at = app.now(), lost_by = '12' where kind = 'commented' and post_id = tests.id('cars');
select tests.authenticate_as('maya');
select is(cardinality(pg_temp.entries(9, tests.behind(tests.ago(0)))), 3, 'where it is now, though it was further up when the walk began');

rollback to empty;

-- home_reasons: are the first that apply
select tests.elm();
select tests.person('ann');
select tests.person('olga', 4);
select tests.hub('ash', 'maya');
select tests.membership('ash', 'olga');
select tests.follow('maya', 'lena');
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'ann');
select tests.post('own', 'maya');
select tests.discussion('own locked', 'maya', 'elm');
select tests.post('of lena', 'lena');
select tests.post('of jonas', 'jonas');
select tests.post('of amara', 'amara', 'public_hub');
select tests.placed('of amara', 'elm');
select tests.discussion('locked', 'jonas', 'elm');
select tests.person('enno', 4);
select tests.post('of enno', 'enno', 'public_hub');
select tests.placed('of enno', 'elm');
select tests.post(name, 'enno') from unnest(array['acted on', 'shared', 'both', 'acted on and not told']) as name;
select tests.placed(name, 'elm', p_kind => 'shared', p_by => 'jonas') from unnest(array['shared', 'both', 'acted on and not told']) as name;
select tests.did('voted', 'jonas', name) from unnest(array['acted on', 'both']) as name;

create function pg_temp.reasons(p_kind app.feed_event_kind, variadic p_posts text[])
returns text[]
language sql
return app.home_reasons(array(
  select tests.entry(name, p_kind => p_kind) from unnest(p_posts) with ordinality as given (name, place) order by place
));

select tests.authenticate_as('maya');
select is(
  pg_temp.reasons('shared_to_hub', 'shared', 'both', 'of enno', 'locked', 'of amara', 'of jonas', 'of lena', 'own locked', 'own'),
  array[
    'shared_to_hub', 'friend_interaction', 'joined_hub_post', 'joined_hub_post', 'hub_co_member_author', 'followed_author', 'followed_author',
    'own_post', 'own_post'
  ],
  'the first reason that applies, in the order of the posts'
);
select is(pg_temp.reasons('commented', 'acted on', 'shared'), array['friend_interaction', 'friend_interaction'], 'what put a post there is one of them');
select tests.authenticate_as('jonas');
select is(
  pg_temp.reasons('voted', 'of lena', 'own', 'of amara', 'of jonas'),
  array['friend_interaction', 'hub_co_member_author', 'hub_co_member_author', 'own_post'], 'to each their own'
);
select is(app.home_reasons('{}'), '{}', 'of nothing there is none');

rollback to empty;

-- is_home_post: asks for more than an own share
select tests.elm();
select tests.person('stranger', 3);
select tests.follow('maya', 'lena');
select tests.post(name, 'stranger') from unnest(array['shared', 'voted', 'other', 'strange']) as name;
select tests.post('own', 'maya');
delete from app.feed_events;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('maya'), tests.id('shared'), 'shared_to_hub', tests.ago(4));
select tests.did('targeted', 'lena', 'voted', tests.ago(3));
select tests.did('voted', 'stranger', 'strange', tests.ago(3));

create function pg_temp.is_home(p_post text, p_after app.feed_position default tests.behind())
returns boolean
language plpgsql
as $$
declare
  v_is_home boolean;
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', tests.id('maya'), 'role', 'authenticated')::text, true);
  v_is_home := app.is_home_post(tests.id(p_post), p_after);
  return v_is_home;
end
$$;

select ok(not pg_temp.is_home('shared'), 'an own share alone does not bring a post there, whatever else is there');
select ok(pg_temp.is_home('voted'), 'what a person followed did does');
select ok(not pg_temp.is_home('strange'), 'what somebody else did does not');
select ok(pg_temp.is_home('own'), 'having published it does');

create function pg_temp.walk(p_part text)
returns app.feed_position
language plpgsql
as $$
declare
  v_place app.feed_position := tests.behind(p_part => p_part);
begin
  v_place.began_at := tests.ago(5);
  return v_place;
end
$$;
select ok(pg_temp.is_home('voted', pg_temp.walk('recent')), 'in a recent feed what was done since the walk began counts');
select ok(not pg_temp.is_home('voted', pg_temp.walk('quiet')), 'in the quiet part of a trending feed it does not');

rollback to empty;

-- newest_events: are of ones sources
select tests.elm();
select tests.person('ann');
select tests.post(name, 'ann') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.post('own', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');
update app.posts set created_at = tests.ago(4);
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(5));
select tests.did('commented', 'jonas', 'bikes', tests.ago(3));
select tests.did('voted', 'maya', 'bikes', tests.ago(2));
select tests.did('voted', 'ann', 'cars', tests.ago(1));
select tests.placed('cars', 'elm', tests.ago(6), 'shared');

create function pg_temp.events(p_after app.feed_position default tests.behind(), p_limit integer default 9, p_except uuid[] default '{}')
returns text[]
language sql
return tests.entries(array(select event from app.newest_events(p_after, p_limit, p_except) as event));

select tests.authenticate_as('maya');
select is(
  pg_temp.events(), array['bikes commented -3', 'own published -4', 'trams voted -5', 'cars shared_to_hub -6'],
  'of whom one follows, of the Hubs one is in, and one''s own posts that are not private, the newest first'
);
select is(pg_temp.events(p_limit => 2), array['bikes commented -3', 'own published -4'], 'so many');
select is(
  pg_temp.events(p_after => tests.behind(tests.ago(4), 'own')), array['trams voted -5', 'cars shared_to_hub -6'], 'behind a place'
);
select is(
  pg_temp.events(p_after => tests.behind(tests.ago(5), 'trams')), array['cars shared_to_hub -6'], 'whatever is there'
);
select is(pg_temp.events(p_except => tests.ids('bikes', 'own')), array['trams voted -5', 'cars shared_to_hub -6'], 'but for posts that are known already');
reset role;
delete from app.feed_events;
select tests.post('own ' || n, 'maya') from generate_series(1, 3) as n;
delete from app.feed_events;
update app.posts set created_at = tests.ago(right(thought_text, 1)::integer) where thought_text like 'own _';
select tests.authenticate_as('maya');
select is(pg_temp.events(p_limit => 2), array['own 1 published -1', 'own 2 published -2'], 'of one''s own posts the newest as well');
reset role;
select set_eq(
  $$ select tests.who_may('select app.newest_events(tests.behind(), 1, ''{}'')') $$, array['authenticated'], 'a guest has no sources'
);

rollback to empty;

-- newest_events: are the newest of all streams
select tests.person(name) from unnest(array['maya', 'one', 'two', 'three', 'author']) as name;
select tests.follow('maya', name) from unnest(array['one', 'two', 'three']) as name;
select tests.post(n::text, 'author') from generate_series(1, 9) as n;
delete from app.feed_events;
-- The number of a post is its age.
select tests.did('voted', 'one', n::text, tests.ago(n)) from unnest(array[1, 2, 3, 8]) as n;
select tests.did('voted', 'two', n::text, tests.ago(n)) from unnest(array[4, 5, 9]) as n;
select tests.did('voted', 'three', n::text, tests.ago(n)) from unnest(array[6, 7]) as n;

create function pg_temp.ages(p_limit integer, p_after app.feed_position default tests.behind(), p_except uuid[] default '{}')
returns text
language sql
return array_to_string(tests.thoughts(array(select event.id from app.newest_events(p_after, p_limit, p_except) as event)), ' ');

select tests.authenticate_as('maya');
select is(
  array(select pg_temp.ages(n) from generate_series(1, 9) as n),
  array['1', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 5', '1 2 3 4 5 6', '1 2 3 4 5 6 7', '1 2 3 4 5 6 7 8', '1 2 3 4 5 6 7 8 9'], 'however many'
);
select is(pg_temp.ages(3, tests.behind(tests.ago(4), '4')), '5 6 7', 'from wherever');
select is(pg_temp.ages(1, tests.behind(tests.ago(3), '3')), '4', 'the stream of that place is no newer than the others');
select is(pg_temp.ages(3, p_except => tests.ids('1', '2', '4', '6')), '3 5 7', 'whichever are left out');
reset role;
update app.feed_events set occurred_at = tests.ago(1);
select tests.authenticate_as('maya');
create temporary table ordered as
select array(select id from generate_series(1, 9) as n, tests.id(n::text) as id order by id desc) as ids;
select is(
  array(select event.id from app.newest_events(tests.behind(), 9, '{}') as event), ids, 'what happened at one time is in the order of posts'
)
from ordered;
select is(
  array(
    select event.id
    from app.newest_events((tests.ago(1), ids[4], app.now(), '1:1:', 'recent', '')::app.feed_position, 9, '{}') as event
  ),
  ids[5:], 'behind any of them'
)
from ordered;
select is(
  array(select array(select event.id from app.newest_events(tests.behind(), n, '{}') as event) = ids[:n] from generate_series(1, 9) as n),
  array_fill(true, array[9]), 'however many'
)
from ordered;

rollback to empty;

-- newest_events: tell apart what is of one moment
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
  perform app.record_activity('voted', tests.id(name), (select p.id from posts as p where p.is_first = (name = p_first)), app.now())
  from unnest(array['one', 'two', 'three']) as name;
  perform tests.authenticate_as('maya');
  v_id := (select event.id from app.newest_events(tests.behind(), 1, '{}') as event);
  perform set_config('role', 'none', true);
  return v_id;
end
$$;

select is(pg_temp.newest(name), (select p.id from posts as p where p.is_first), 'the first is found, whoever did it') from unnest(array['one', 'two', 'three']) as name;

rollback to empty;

-- shown_before: counts own shares where nothing else did
select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.ago(4));

create function pg_temp.is_shown(p_after integer)
returns boolean
language plpgsql
as $$
declare
  v_is_shown boolean;
begin
  perform tests.authenticate_as('maya');
  v_is_shown := app.shown_before(tests.ids('trams'), tests.behind(tests.ago(p_after), 'trams', '10:10:')) = tests.ids('trams');
  perform set_config('role', 'none', true);
  return v_is_shown;
end
$$;

select ok(pg_temp.is_shown(5), 'an own share before the place has shown the post');
select ok(not pg_temp.is_shown(3), 'an own share behind the place has not');
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(9));
select ok(not pg_temp.is_shown(5), 'an own share does not count where an act of a source places the post further down');

rollback to empty;

-- shown_before: is what counted since the walk began
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.follow('maya', 'lena');

-- The walk is five minutes deep; an event counts from p_at on until p_lost_by, which begins after it unless it is 3.
create function pg_temp.is_shown(p_actor text, p_at timestamptz, p_kind app.feed_event_kind default 'voted', p_hub text default null, p_lost_by xid8 default null)
returns boolean
language plpgsql
as $$
declare
  v_is_shown boolean;
begin
  insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, lost_at, lost_by)
  values (
    tests.id(p_hub), tests.id(p_actor), tests.id('trams'), p_kind, p_at, case when p_lost_by is not null then app.now() end, p_lost_by
  );
  perform tests.authenticate_as('maya');
  v_is_shown := app.shown_before(tests.ids('trams', 'bikes'), tests.behind(tests.ago(5), 'trams', '10:10:')) = tests.ids('trams');
  perform set_config('role', 'none', true);
  delete from app.feed_events;
  return v_is_shown;
end
$$;

select ok(pg_temp.is_shown('lena', tests.ago(4)), 'what something newer has brought up');
select ok(pg_temp.is_shown('lena', tests.ago(5)), 'or what is at the very place');
select ok(not pg_temp.is_shown('lena', tests.ago(6)), 'not what is older');
select ok(not pg_temp.is_shown('lena', app.now() + interval '1 second'), 'nor what does not count yet');
select ok(pg_temp.is_shown('lena', tests.ago(4), p_lost_by => '12'), 'what was lost after the walk began has been shown');
select ok(not pg_temp.is_shown('lena', tests.ago(4), p_lost_by => '9'), 'what was lost before has not');
select ok(not pg_temp.is_shown('amara', tests.ago(4)), 'nor what others did');
select ok(pg_temp.is_shown('amara', tests.ago(4), p_hub => 'elm') and not pg_temp.is_shown('amara', tests.ago(4), p_hub => 'ash'), 'but in Hubs of one''s own');
select ok(not pg_temp.is_shown('maya', tests.ago(4), p_hub => 'elm'), 'nor what one did oneself');

select tests.did('voted', 'lena', 'trams', tests.ago(4));
select tests.authenticate_as('maya');
select is(app.shown_before(tests.ids('bikes'), tests.behind(tests.ago(5))), '{}', 'it is said of the posts that are asked for');

rollback to empty;

-- shown_before: knows former sources and hidden users
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
delete from app.feed_events;
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(4));
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at) values (tests.id('ash'), tests.id('jonas'), tests.id('trams'), 'voted', tests.ago(4));

create function pg_temp.is_shown(p_began_at timestamptz default app.now())
returns boolean
language plpgsql
as $$
declare
  v_is_shown boolean;
begin
  perform tests.authenticate_as('maya');
  v_is_shown := app.shown_before(tests.ids('trams'), (tests.ago(5), tests.id('trams'), p_began_at, '10:10:', 'recent', '')::app.feed_position) = tests.ids('trams');
  perform set_config('role', 'none', true);
  return v_is_shown;
end
$$;

select ok(pg_temp.is_shown(), 'of whom one follows');
delete from app.follows;
update app.former_sources set ended_by = '12';
select ok(pg_temp.is_shown(), 'or followed when the walk began');
update app.former_sources set ended_by = '9';
select ok(not pg_temp.is_shown(), 'not whom one had followed before');
update app.former_sources set source_id = tests.id('ash'), ended_by = '12';
select ok(pg_temp.is_shown(), 'of Hubs one was in as well');
update app.former_sources set user_id = tests.id('amara');
select ok(not pg_temp.is_shown(), 'but not of those that others were in');

select tests.follow('maya', 'lena');
insert into app.blocks (blocker_id, blocked_id, created_at) values (tests.id('lena'), tests.id('maya'), tests.ago(5));
select ok(not pg_temp.is_shown(), 'of somebody who had blocked one nothing was shown');
select ok(not pg_temp.is_shown(tests.ago(5)), 'at that moment either');
select ok(pg_temp.is_shown(tests.ago(6)), 'but if they did so later');
delete from app.blocks;
insert into app.account_deletions (user_id, departed_at) values (tests.id('lena'), tests.ago(5));
select ok(not pg_temp.is_shown(), 'nor of who had left');
delete from app.feed_events;
select tests.placed('trams', 'elm', tests.ago(4));
select ok(pg_temp.is_shown(), 'what they had placed in a Hub was');
update app.feed_events set kind = 'shared_to_hub';
select ok(pg_temp.is_shown(), 'onward too');
select set_eq(
  $$ select tests.who_may('select app.shown_before(''{}'', tests.behind())') $$, array['authenticated'], 'a guest walks through nothing of the sort'
);

rollback to empty;

-- shown_before: looks at viral posts by source
select tests.elm();
select tests.post('trams', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 250) as n;
delete from app.feed_events;
insert into app.feed_events (actor_id, post_id, kind, occurred_at)
select tests.id('voter ' || n), tests.id('trams'), 'voted', tests.ago(1) from generate_series(1, 250) as n;

create function pg_temp.shown(p_at timestamptz default tests.ago(5))
returns uuid[]
language plpgsql
as $$
declare
  v_shown uuid[];
begin
  perform tests.authenticate_as('maya');
  v_shown := app.shown_before(tests.ids('trams'), tests.behind(p_at, 'trams', '10:10:'));
  perform set_config('role', 'none', true);
  return v_shown;
end
$$;
create function pg_temp.is_shown(p_at timestamptz default tests.ago(5))
returns boolean
language sql
return pg_temp.shown(p_at) = tests.ids('trams');

select ok(not pg_temp.is_shown(), 'what many others do shows one nothing');
select tests.did('voted', 'jonas', 'trams', tests.ago(4));
select ok(pg_temp.is_shown(), 'what a source did among them does');
select ok(pg_temp.is_shown(tests.ago(4)) and not pg_temp.is_shown(tests.ago(3)), 'if it is newer');
update app.feed_events set occurred_at = app.now() + interval '1 second' where actor_id = tests.id('jonas');
select ok(not pg_temp.is_shown(), 'and counts yet');
insert into app.blocks (blocker_id, blocked_id, created_at) values (tests.id('jonas'), tests.id('maya'), app.now() + interval '1 second');
update app.feed_events set occurred_at = tests.ago(4) where actor_id = tests.id('jonas');
select ok(pg_temp.is_shown(), 'whom one has blocked since');
update app.blocks set created_at = tests.ago(1);
select ok(not pg_temp.is_shown(), 'and not before');

delete from app.feed_events where actor_id = tests.id('jonas');
select tests.did('voted', 'maya', 'trams', tests.ago(4));
select ok(not pg_temp.is_shown(), 'what one did oneself does not');
select tests.post('bikes', 'amara');
select is(pg_temp.shown(), '{}', 'nor what was done with another post');
select tests.did('commented', 'amara', 'trams', app.now());
update app.feed_events set lost_at = app.now(), lost_by = '12' where kind = 'commented';
select ok(pg_temp.is_shown(), 'what was lost since is looked for among the newest');

select * from finish();
rollback;
