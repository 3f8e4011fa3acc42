begin;
select plan(60);
savepoint empty;

-- list_saved_posts lists the visible posts that the caller saved, last saved first (docs/product.md PO19).
select tests.elm();
select tests.person('anonymous', 1);
select tests.post('trams', 'lena'), tests.post('bikes', 'amara'), tests.discussion('locked', 'jonas', 'elm');
select tests.post('of another', 'lena');
insert into app.saved_posts (user_id, post_id, saved_at)
values
  (tests.id('maya'), tests.id('bikes'), app.now() - interval '2 hours'),
  (tests.id('maya'), tests.id('trams'), app.now() - interval '3 hours'),
  (tests.id('maya'), tests.id('locked'), app.now() - interval '1 hour'),
  (tests.id('jonas'), tests.id('of another'), app.now());

select is(
  tests.refusal_as('anonymous', $$ select api.list_saved_posts('{}') $$), 'PT403 FORBIDDEN',
  'an anonymous user has no list of saved posts'
);
select tests.authenticate_as('maya');
select is(
  api.list_saved_posts('{}')::jsonb,
  jsonb_build_object('items', app.seen_cards(tests.ids('locked', 'bikes', 'trams')), 'nextCursor', null),
  'list_saved_posts answers the cards of own saved posts, last saved first'
);
reset role;
select tests.block('amara', 'maya');
delete from app.memberships where user_id = tests.id('maya');
select is(
  tests.value_as('maya', $$ tests.item_ids(api.list_saved_posts('{"limit": 1}')) $$), to_jsonb(tests.ids('trams')),
  'list_saved_posts leaves out hidden posts and fills its page'
);

rollback to empty;

-- list_saved_posts orders posts of the same time by id, 20 on a page by default.
select tests.person('maya');
select tests.post(n::text, 'maya') from generate_series(1, 21) as n;
insert into app.saved_posts (user_id, post_id) select tests.id('maya'), p.id from app.posts as p;
select tests.disable_index_scans();
select tests.authenticate_as('maya');
create temporary table pages as select * from tests.pages('list_saved_posts', '{}') with ordinality as listed (page, n);
select results_eq(
  'select cardinality(tests.item_ids(page)) from pages order by n', array[20, 1],
  'list_saved_posts lists 20 posts on a page by default'
);
select is(
  (
    select array_agg(item.id order by n, item.place)
    from pages, unnest(tests.item_ids(page)) with ordinality as item (id, place)
  ),
  array(select p.id from app.posts as p order by p.id desc),
  'list_saved_posts orders posts of the same time by descending id across pages'
);

rollback to empty;

-- A feed share enters feeds, raises the trending score and notifies (docs/product.md F7, N26).
select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'amara', 'elm');
delete from app.feed_events;
delete from app.events;
insert into app.trending_scores (post_id, score, active_at, vote_score, voted_at)
select p.id, at, at, at, at from app.posts as p, (select app.now() - interval '1 day' as at) as yesterday;
select tests.feed_share('jonas', name, app.now() - interval '1 hour') from unnest(array['trams', 'locked']) as name;
select set_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$
    select tests.id('trams') as post_id, 'shared_to_feed', tests.id('jonas') as actor_id, hub,
      app.now() - interval '1 hour' as at
    from unnest(array[null, tests.id('elm')]) as hub
  $$,
  'a feed share enters the feeds of the sharer and their Hubs only if the post is public'
);
select set_eq(
  'select tests.post_events()',
  array['post_shared_to_feed by jonas of trams', 'post_shared_to_feed by jonas of locked'],
  'a share to a feed notifies the author, of a private post too'
);
select results_eq(
  'select distinct score, active_at from app.trending_scores',
  $$
    values (
      app.sum_of_scores(app.now() - interval '1 day', app.activity_score(2, app.now() - interval '1 hour')),
      app.now() - interval '1 hour'
    )
  $$,
  'a share to a feed adds 2 to the trending score'
);
update app.feed_shares set id = tests.id('again') where post_id = tests.id('trams');
select set_eq(
  'select hub_id, occurred_at from app.feed_events where ended_at is null',
  $$ select hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$,
  'a repeated share moves its feed events to the later time'
);
select is(count(*), 2::bigint, 'a repeated share within a day does not notify the author again') from app.events;
update app.events set occurred_at = app.now() - interval '24 hours';
update app.feed_shares set user_id = user_id;
select is(count(*), 2::bigint, 'an update of a share without a new id notifies nobody') from app.events;
update app.feed_shares set id = tests.id('a day later');
select is(count(*), 4::bigint, 'a repeated share after a day notifies the author again') from app.events;

rollback to empty;

-- Sharing a post again into a Hub moves the post up and notifies nobody (docs/product.md PO22).
select tests.elm();
select tests.person('noor', 4);
select tests.membership('elm', 'noor');
select tests.post('trams', 'lena');
select tests.placement('trams', 'elm', tests.minutes_ago(9), 'shared', 'jonas');
delete from app.events;
create function pg_temp.share(p_caller text)
returns text
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  perform api.share_to_hubs(
    tests.post_args('trams') || jsonb_build_object('hubIds', jsonb_build_array(tests.id('elm')))
  );
  perform set_config('role', 'none', true);
  return (select concat_ws(' ', p.placed_at - app.now(), p.last_shared_at - app.now()) from app.placements as p);
end
$$;
create function pg_temp.shares()
returns setof text
language sql
as $$
  select concat_ws(' ', actor.username, e.occurred_at - now(), case when e.ended_at is not null then 'before' end)
  from app.feed_events as e
  join app.profiles as actor on actor.user_id = e.actor_id
  where e.kind = 'shared_to_hub'
$$;
select is(pg_temp.share('jonas'), '-00:09:00 -00:09:00', 'a repeated share by the last sharer changes nothing');
select is(
  pg_temp.share('noor'), '-00:09:00 00:00:00', 'a share by another member moves the post up and keeps its first time'
);
select set_eq(
  'select pg_temp.shares()', array['jonas -00:09:00', 'noor 00:00:00'],
  'the feed of a Hub keeps the shares of both members'
);
update app.feed_events set begun_by = '3' where kind = 'shared_to_hub';
select app.set_clock_offset('1 minute');
select is(pg_temp.share('jonas'), '-00:10:00 00:00:00', 'the first sharer may move the post up after another member');
select set_eq(
  'select pg_temp.shares()', array['jonas 00:01:00', 'jonas -00:09:00 before', 'noor 00:00:00'],
  'a repeated share keeps the earlier time for pagination under way'
);
select set_eq(
  $$
    select begun_by, ended_at is null
    from app.feed_events
    where kind = 'shared_to_hub' and actor_id = tests.id('jonas')
  $$,
  $$ values (pg_current_xact_id(), true), (xid8 '3', false) $$,
  'a repeated share names its own transaction, and the earlier one keeps its own'
);
select is_empty('select from app.events', 'a repeated share into a Hub notifies nobody');
select app.set_clock_offset('2 minutes');
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
select is(
  pg_temp.share('jonas'), '-00:11:00 00:00:00',
  'any member moves a post up after the account of the last sharer is deleted'
);
select tests.authenticate_as('amara');
update app.placements set last_shared_at = app.now() + interval '1 year';
reset role;
select is(last_shared_at, app.now(), 'a member cannot choose the time of a share') from app.placements;

rollback to empty;

-- A new id makes a feed share a new share, of now.
select tests.person('maya');
select tests.post('trams', 'maya'), tests.feed_share('maya', 'trams', app.now() - interval '1 hour');
select tests.post('bikes', 'maya'), tests.feed_share('maya', 'bikes', app.now() + interval '1 hour');
update app.feed_shares set user_id = user_id;
select is(min(shared_at), app.now() - interval '1 hour', 'a feed share keeps its time as long as it keeps its id')
from app.feed_shares;
update app.feed_shares set id = tests.id('other');
select set_eq(
  'select id, post_id, shared_at from app.feed_shares',
  $$
    values
      (tests.id('other'), tests.id('trams'), app.now()),
      (tests.id('other'), tests.id('bikes'), app.now() + interval '1 hour')
  $$,
  'a feed share with a new id is of now and never moves back in time'
);

rollback to empty;

-- Saving and sharing to a feed require level 2 and a visible post (docs/product.md PO19, PO20).
select tests.elm();
select tests.person('anonymous', 1);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');

select is(
  tests.refusal_as(caller, format('select api.%s(%L)', operation, tests.post_args(post))), expected,
  format('%s %s', operation, rule)
)
from unnest(array['save_post', 'unsave_post', 'share_to_feed']) as operation
cross join (
  values
    ('anonymous', 'trams', 'PT403 FORBIDDEN', 'does not admit an anonymous user'),
    ('maya', 'hidden', 'PT404 POST_NOT_FOUND', 'finds no hidden post'),
    ('maya', 'unknown', 'PT404 POST_NOT_FOUND', 'finds no unknown post')
) as c (caller, post, expected, rule);

rollback to empty;

-- Saving, unsaving and sharing to a feed can be repeated. The first save and the last share count.
-- docs/product.md PO19, PO20
select tests.person(name, 2) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.post('trams', 'lena'), tests.post('bikes', 'lena');
create function pg_temp.call(p_caller text, p_operation text, p_post text default 'trams')
returns jsonb
language sql
return tests.value_as(p_caller, format('api.%s(%L)', p_operation, tests.post_args(p_post)));

select is(pg_temp.call(name, 'save_post'), '{"saved": true}', 'a registered user saves a post: ' || name)
from unnest(array['maya', 'jonas']) as name;
create temporary table answers as select pg_temp.call('jonas', 'share_to_feed') as first;
select is(
  first - 'shareId', jsonb_build_object('postId', tests.id('trams'), 'sharedAt', app.iso(app.now())),
  'a registered user shares a post to their feed'
)
from answers;
select app.set_clock_offset('1 minute');
select is(pg_temp.call('jonas', 'save_post'), '{"saved": true}', 'saving a saved post again succeeds');
select results_eq(
  $$ select distinct saved_at from app.saved_posts $$, array[app.now() - interval '1 minute'],
  'saving a saved post again keeps its first time'
);
select pg_temp.call('jonas', 'save_post', 'bikes');
select is(pg_temp.call('jonas', 'unsave_post'), '{"saved": false}', 'unsaving a post succeeds, saved or not')
from generate_series(1, 2);
select set_eq(
  'select user_id, post_id from app.saved_posts',
  $$ values (tests.id('jonas'), tests.id('bikes')), (tests.id('maya'), tests.id('trams')) $$,
  'unsaving a post keeps other saved posts and those of other users'
);
create temporary table later as select pg_temp.call('jonas', 'share_to_feed') as second;
select isnt(second -> 'shareId', first -> 'shareId', 'a repeated share answers another id') from answers, later;
select results_eq(
  'select id, user_id, post_id, shared_at from app.feed_shares',
  $$ select (second ->> 'shareId')::uuid, tests.id('jonas'), (second ->> 'postId')::uuid, app.now() from later $$,
  'a repeated share replaces the first share'
);
select is(
  pg_temp.call('lena', 'share_to_feed') -> 'postId', to_jsonb(tests.id('trams')),
  'an author shares their own post to their feed'
);

rollback to empty;

-- share_to_hubs requires membership in each Hub and a shareable post (docs/product.md PO21).
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.args(p_post text, variadic p_hubs text[])
returns jsonb
language sql
return tests.post_args(p_post) || jsonb_build_object('hubIds', to_jsonb(tests.ids(variadic p_hubs)));

select is(tests.refusals('share_to_hubs', args), expected, title)
from (
  values
    (
      pg_temp.args('trams', 'elm'), tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'only Hub-ready members share a post into their Hub'
    ),
    (
      pg_temp.args('trams', 'elm', 'ash'), tests.refusals_of_all('FORBIDDEN'),
      'a share into several Hubs requires membership in each of them'
    ),
    (pg_temp.args('trams', 'unknown'), tests.refusals_of_all('FORBIDDEN'), 'nobody shares into an unknown Hub'),
    (pg_temp.args('unknown', 'elm'), tests.refusals_of_all('POST_NOT_FOUND'), 'share_to_hubs finds no unknown post'),
    (
      pg_temp.args('hidden', 'elm'), tests.refusals_of_all('POST_NOT_FOUND') || '{"lena": "POST_NOT_SHAREABLE"}',
      'share_to_hubs finds no hidden post'
    ),
    (
      pg_temp.args('locked', 'elm'), tests.refusals_of_all('POST_NOT_SHAREABLE') || '{"lena": "POST_NOT_FOUND"}',
      'nobody shares a private post of one Hub into the same Hub'
    ),
    (
      pg_temp.args('locked', 'unknown'), tests.refusals_of_all('POST_NOT_SHAREABLE') || '{"lena": "POST_NOT_FOUND"}',
      'a private post of one Hub is refused before its new Hubs are checked'
    )
) as c (args, expected, title);
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.placement('trams', 'fir', app.now() - interval '1 day', p_by => 'lena');
select tests.authenticate_as('jonas');
select is(
  api.share_to_hubs(pg_temp.args('trams', 'oak', 'fir', 'elm')),
  jsonb_build_object('postId', tests.id('trams'), 'hubs', jsonb_build_array(
    jsonb_build_object('hubId', tests.id('oak'), 'sharedAt', app.iso(app.now()), 'created', true),
    jsonb_build_object('hubId', tests.id('fir'), 'sharedAt', app.iso(app.now() - interval '1 day'), 'created', false),
    jsonb_build_object('hubId', tests.id('elm'), 'sharedAt', app.iso(app.now()), 'created', true)
  )),
  'share_to_hubs answers the time of each placement, in the order of hubIds'
);
select is(
  jsonb_path_query_array(api.share_to_hubs(pg_temp.args('trams', 'oak', 'fir')), '$.hubs.created'), '[false, false]',
  'a repeated share_to_hubs creates no placement'
);
reset role;
select bag_eq(
  $$ select hub_id, kind::text, placed_by from app.placements where post_id = tests.id('trams') $$,
  $$
    values
      (tests.id('oak'), 'shared', tests.id('jonas')), (tests.id('elm'), 'shared', tests.id('jonas')),
      (tests.id('fir'), 'targeted', tests.id('lena'))
  $$,
  'share_to_hubs places a post as shared in each new Hub and leaves existing placements'
);
select bag_eq(
  'select hub_id, user_id from app.memberships where seen_at is not null',
  $$ select hub, tests.id('jonas') from unnest(tests.ids('oak', 'fir', 'elm')) as hub $$,
  'share_to_hubs counts as use of the Hubs by the caller'
);

rollback to empty;

-- share_to_hubs promotes the pending votes of the new Hub.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.post('no slider', 'lena');
select tests.vote('jonas', 'trams', 'right', p_key => tests.vote_key('old'));
select tests.vote('maya', 'trams', 'left');
select tests.fold(tests.vote_key(), tests.vote_key('old'));
create function pg_temp.share(
  p_post text, p_hub text,
  p_keys jsonb default jsonb_build_array(tests.vote_key('new'), tests.vote_key(), tests.vote_key('old'))
)
returns jsonb
language sql
return api.share_to_hubs(
  tests.post_args(p_post) || jsonb_build_object('hubIds', jsonb_build_array(tests.id(p_hub)), 'pendingVoteKeys', p_keys)
);

select tests.authenticate_as('jonas');
select pg_temp.share('trams', 'elm');
select is(tests.vote_counts('trams', 'elm'), '(0,1,0,1,0)', 'a share into a Hub counts its pending votes at once');
select pg_temp.share('trams', 'elm');
select is(tests.vote_counts('trams', 'elm'), '(0,1,0,1,0)', 'a repeated share into a Hub counts no vote twice');
select lives_ok($$ select pg_temp.share('no slider', 'elm') $$, 'a post without a slider is shared without promotion');
select pg_temp.share('trams', 'oak', '[]');
select is(tests.vote_counts('trams', 'oak'), null, 'a share without the keys of the service counts no pending vote');
reset role;
select tests.fold();
select is(tests.vote_counts('trams', 'oak'), '(0,0,0,1,0)', 'the next fold promotes votes that a share left pending');
select is_empty('select from app.pending_totals', 'promotion leaves no pending totals behind');

select * from finish();
rollback;
