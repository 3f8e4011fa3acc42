begin;
select plan(37);
savepoint empty;

-- hub_entries lists the posts of a Hub by when they were last placed there (docs/product.md F11).
select tests.elm();
select tests.hub('ash', 'maya');
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars', 'elsewhere']) as name;
select tests.placement('trams', 'elm', tests.minutes_ago(3));
select tests.placement('bikes', 'elm', tests.minutes_ago(5), 'shared', 'jonas');
select tests.placement('cars', 'elm', tests.minutes_ago(7));
select tests.placement('elsewhere', 'ash', tests.minutes_ago(1));

create function pg_temp.entries(p_limit integer, p_after app.feed_cursor)
returns text
language sql
return array_to_string(tests.describe_entries(app.hub_entries(tests.id('elm'), p_after, p_limit)), ', ');

select tests.act_for('maya');
select is(pg_temp.entries(page_size, after), expected, title)
from (
  values
    (
      9, tests.cursor_after(), 'trams shared_to_hub -3, bikes shared_to_hub -5, cars shared_to_hub -7',
      'hub_entries lists the posts placed in this Hub, newest placement first'
    ),
    (1, tests.cursor_after(), 'trams shared_to_hub -3', 'hub_entries returns as many posts as requested'),
    (
      9, tests.cursor_after(tests.minutes_ago(5), 'bikes'), 'cars shared_to_hub -7',
      'hub_entries continues after a cursor'
    )
) as c (page_size, after, expected, title);
reset role;
update app.feed_events set begun_by = '9';
select tests.act_for('amara');
select api.share_to_hubs(tests.post_args('cars') || jsonb_build_object('hubIds', jsonb_build_array(tests.id('elm'))));
select is(
  pg_temp.entries(9, (at, tests.id('trams'), began_at, seen, 'recent', false, '')::app.feed_cursor), expected, title
)
from (
  values
    (
      timestamptz 'infinity', app.now(), tests.snapshot_after_test(),
      'cars shared_to_hub, trams shared_to_hub -3, bikes shared_to_hub -5',
      'a post shared again comes first in the Hub feed'
    ),
    (
      tests.minutes_ago(3), tests.minutes_ago(1), '10:10:', 'bikes shared_to_hub -5, cars shared_to_hub -7',
      'a cursor from before a share finds the post at its former position'
    ),
    (
      tests.minutes_ago(3), app.now(), '10:10:', 'bikes shared_to_hub -5, cars shared_to_hub -7',
      'a share that was committed after page one of the same moment leaves the post where it was'
    ),
    (
      tests.minutes_ago(9), tests.minutes_ago(1), '10:10:', '',
      'a cursor below a post''s former position does not list the post again'
    )
) as c (at, began_at, seen, expected, title);

rollback to empty;

-- hub_entries omits posts of a blocked pair.
select tests.elm();
select tests.discussion('hers', 'maya', 'elm', app.now() - interval '1 day');
select tests.discussion('his', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('of amara', 'amara', 'elm', app.now() - interval '3 days');
select tests.block('maya', 'jonas');

select tests.authenticate_as('jonas');
select is(
  tests.item_ids_across_pages('get_hub_feed', tests.hub_args('elm')), tests.ids('his', 'of amara'),
  'the Hub feed omits posts by a member who has blocked the caller, and its pages are full'
);
select is(
  tests.item_ids(api.list_discussions(tests.hub_args('elm'))), tests.ids('his in elm', 'of amara in elm'),
  'the list of discussions omits that of a post by a member who has blocked the caller'
);
reset role;
update app.feed_events set begun_by = '9';
delete from app.feed_changes;
delete from app.blocks;
select tests.act_for('jonas');
select is(
  tests.thoughts(array(
    select (entry).id
    from unnest(app.hub_entries(
      tests.id('elm'), (app.now(), tests.id('his'), app.now(), '10:10:', 'recent', false, '')::app.feed_cursor, 9
    )) as entry
  )),
  array['his', 'of amara'], 'a later page of the Hub feed omits posts of a member unblocked since page one'
);

rollback to empty;

-- get_hub_feed and get_home_feed return the same feed of a Hub.
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.discussion('trams', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('bikes', 'maya', 'elm', app.now() - interval '1 day');
select tests.post('cars', 'amara', 'public_hub');
select tests.placement('cars', 'elm', app.now() - interval '3 days');
select tests.discussion('elsewhere', 'jonas', 'ash');
update app.posts set created_at = app.now() + interval '1 day' where id = tests.id('cars');

select tests.act_for('jonas');
create temporary table answers as select api.get_hub_feed(tests.hub_args('elm'))::jsonb as page;
select is(
  page || jsonb_build_object('items', page #> '{items,1}'),
  jsonb_build_object(
    'items', (app.seen_cards(tests.ids('trams')))[1]::jsonb || '{"feedContext": "joined_hub_post"}', 'nextCursor', null
  ),
  'the Hub feed lists each post''s card with its context, and its last page has no cursor'
)
from answers;
select is(
  tests.item_ids(page), tests.ids('bikes', 'trams', 'cars'), 'the Hub feed orders posts by placement, not by creation'
)
from answers;
select is(
  api.get_home_feed(tests.hub_args('elm'))::jsonb, page, 'get_home_feed for a Hub returns the Hub feed'
) from answers;
select is(
  tests.item_ids_across_pages(operation, tests.hub_args('elm')), tests.item_ids(page),
  format('pages of one post by %s list the whole Hub feed', operation)
)
from answers, unnest(array['get_hub_feed', 'get_home_feed']) as operation;

rollback to empty;

-- hub_entries orders posts of one moment by id. Without indexes nothing is in order by chance.
select tests.elm();
select tests.disable_index_scans();
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.act_for('maya');
select is(listed, array(select p.id from app.posts as p order by p.id desc), title)
from (
  values
    (
      tests.item_ids(api.get_hub_feed(tests.hub_args('elm'))),
      'the Hub feed orders posts of one moment by id, descending'
    ),
    (
      tests.item_ids_across_pages('get_hub_feed', tests.hub_args('elm')),
      'pages of a Hub feed list posts of one moment once, in order'
    )
) as c (listed, title);

rollback to empty;

-- hub_reasons distinguishes targeted posts from shared posts (docs/product.md F11).
select tests.elm();
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.placement(name, 'elm', p_kind => 'shared', p_by => 'jonas') from unnest(array['trams', 'cars']) as name;
select tests.placement('bikes', 'elm');

select tests.act_for('maya');
select is(
  app.hub_reasons(
    tests.id('elm'),
    array[tests.feed_entry('trams'), tests.feed_entry('bikes', p_kind => null), tests.feed_entry('cars')]
  ),
  array['shared_to_hub', 'joined_hub_post', 'shared_to_hub'],
  'hub_reasons returns joined_hub_post for a target and shared_to_hub for a share'
);

rollback to empty;

-- profile_entries lists a user's public posts and feed shares (docs/product.md F12, F13).
select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
values
  (tests.id('old'), tests.id('maya'), 'old', 'public', tests.minutes_ago(9)),
  (tests.id('among us'), tests.id('maya'), 'among us', 'public_hub', tests.minutes_ago(7)),
  (tests.id('locked'), tests.id('maya'), 'locked', 'private_locked_hub', tests.minutes_ago(6)),
  (tests.id('of lena'), tests.id('lena'), 'of lena', 'public', tests.minutes_ago(3)),
  (tests.id('of jonas'), tests.id('jonas'), 'of jonas', 'public', tests.minutes_ago(3));
select tests.placement('locked', 'elm');
select tests.feed_share('maya', 'of lena', tests.minutes_ago(8));
select tests.feed_share('jonas', name, tests.minutes_ago(1)) from unnest(array['of jonas', 'among us']) as name;

create function pg_temp.entries(p_viewer text, p_limit integer, p_age integer default null, p_post text default null)
returns text
language sql
return (
  select string_agg(entry, ', ' order by place)
  from jsonb_array_elements_text(tests.value_for(p_viewer, format(
    'tests.describe_entries(app.profile_entries(%L, %L, %s))', tests.id('maya'),
    tests.cursor_after(coalesce(tests.minutes_ago(p_age), 'infinity'), p_post), p_limit
  ))) with ordinality as listed (entry, place)
);

select is(pg_temp.entries(null, page_size, age, post), expected, title)
from (
  values
    (
      9, null::integer, null, 'among us published -7, of lena shared_to_feed -8, old published -9',
      'a profile lists the user''s public posts and feed shares, newest first'
    ),
    (1, null, null, 'among us published -7', 'a profile returns as many entries as requested, the newest first'),
    (9, 8, 'of lena', 'old published -9', 'a profile continues after a feed share'),
    (9, 7, 'among us', 'of lena shared_to_feed -8, old published -9', 'a profile continues after a published post')
) as c (page_size, age, post, expected, title);
select tests.feed_share('jonas', 'old', tests.minutes_ago(1));
select tests.feed_share('maya', 'old', tests.minutes_ago(2));
select is(pg_temp.entries(null, page_size, age, post), expected, title)
from (
  values
    (
      9, null::integer, null, 'old shared_to_feed -2, among us published -7, of lena shared_to_feed -8',
      'a profile lists a shared own post once, as a share'
    ),
    (1, null, null, 'old shared_to_feed -2', 'a profile page of one entry has the newest share'),
    (
      9, 2, 'old', 'among us published -7, of lena shared_to_feed -8',
      'a profile does not list a shared own post again on later pages'
    )
) as c (page_size, age, post, expected, title);
select tests.feed_share('maya', 'locked', tests.minutes_ago(4));
select is(pg_temp.entries(viewer, 2), 'old shared_to_feed -2, ' || second, title)
from (
  values
    (null, 'among us published -7', 'a guest cannot see a private post shared to a profile'),
    ('jonas', 'locked shared_to_feed -4', 'a member of the post''s Hub sees a private post shared to a profile')
) as c (viewer, second, title);
delete from app.feed_shares where post_id = tests.id('locked');
select is(
  pg_temp.entries('maya', 2), 'old shared_to_feed -2, among us published -7',
  'a profile omits an unshared private post even for its author'
);
select tests.feed_share('maya', 'locked', tests.minutes_ago(1));
-- She is still in a Hub with another post.
select tests.hub('oak', 'maya');
select tests.placement('old', 'oak', p_kind => 'shared', p_by => 'maya');
delete from app.memberships where hub_id = tests.id('elm') and user_id = tests.id('maya');
select is(
  pg_temp.entries(viewer, 1), 'old shared_to_feed -2',
  'a profile shows a private post that its owner shared to nobody after the owner left its Hub: ' || viewer
)
from unnest(array['jonas', 'maya']) as viewer;
update app.posts set created_at = app.now();
update app.feed_shares set shared_at = app.now();
select tests.act_for(null);
select is(
  array(select id from unnest(app.profile_entries(tests.id('maya'), tests.cursor_after(), 9))),
  array(select id from unnest(tests.ids('old', 'among us', 'of lena')) as id order by id desc),
  'a profile orders entries of one moment by id, descending'
);

rollback to empty;

-- profile_entries shows the profile of page one (docs/product.md F2).
select tests.person('maya'), tests.person('lena');
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars', 'late']) as name;
select tests.post('own', 'maya'), tests.post('mine', 'maya');
update app.posts set created_at = tests.minutes_ago(9);
select tests.feed_share('maya', 'trams', tests.minutes_ago(3));
select tests.feed_share('maya', 'bikes', tests.minutes_ago(4));
select tests.feed_share('maya', 'own', tests.minutes_ago(5));
delete from app.feed_changes;
update app.feed_shares set id = app.uuid_v7() where post_id in (tests.id('bikes'), tests.id('own'));
update app.feed_shares set id = app.uuid_v7() where post_id = tests.id('bikes');
select tests.feed_share('maya', name, tests.minutes_ago(1)) from unnest(array['cars', 'mine']) as name;
-- Committed after page one, although its transaction began before.
select tests.feed_share('maya', 'late', tests.minutes_ago(4));
select tests.post('new', 'maya');
select tests.act_for(null);
select is(
  tests.describe_entries(app.profile_entries(
    tests.id('maya'),
    (tests.minutes_ago(3), tests.id('trams'), tests.minutes_ago(2), '10:10:', 'recent', false, '')::app.feed_cursor, 9
  )),
  array['bikes shared_to_feed -4', 'own shared_to_feed -5', 'mine published -9'],
  'a later page shows posts shared again at their positions of page one, and no new shares and posts'
);

rollback to empty;

-- share_at_page_one returns the last share into a Hub before the first page.
select tests.elm();
select tests.hub('oak', 'maya');
select tests.post('trams', 'lena');
select tests.placement('trams', 'elm', tests.minutes_ago(9), 'shared', 'jonas');
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, begun_by, ended_at, ended_by)
select tests.id(hub), tests.id(actor), tests.id('trams'), 'shared_to_hub', tests.minutes_ago(age), begun_by, ended_at,
  ended_by
from (
  values
    ('elm', 'amara', 3, xid8 '9', null::timestamptz, null::xid8),
    ('elm', 'maya', 5, '9', app.now(), pg_current_xact_id()),
    ('elm', 'lena', 4, '12', null, null),
    ('oak', 'maya', 2, '9', null, null)
) as share (hub, actor, age, begun_by, ended_at, ended_by);
update app.feed_events set begun_by = '9' where actor_id = tests.id('jonas');

create function pg_temp.shared_before(p_ago integer)
returns timestamptz
language sql
return app.share_at_page_one(
  tests.id('elm'), tests.id('trams'),
  (app.now(), tests.id('trams'), tests.minutes_ago(p_ago), '10:10:', 'recent', false, '')::app.feed_cursor
);

select tests.act_for('maya');
select is(pg_temp.shared_before(age), expected, title)
from (
  values
    (3, tests.minutes_ago(3), 'share_at_page_one returns a share at the time of the first page'),
    (
      4, tests.minutes_ago(5),
      'share_at_page_one returns a share that has ended since the first page, and none recorded since'
    ),
    (6, tests.minutes_ago(9), 'share_at_page_one returns the first share for a page older than the others'),
    (1, tests.minutes_ago(3), 'share_at_page_one ignores a newer share into another Hub of the caller'),
    (10, null, 'share_at_page_one returns null before the first share')
) as c (age, expected, title);

select * from finish();
rollback;
