begin;
select plan(103);
savepoint empty;

-- attach_media takes post media of the caller alone, in the order of the arguments.
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.asset('second', 'maya');
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('hub', 'maya', 'hub_photo');
select tests.asset('his', 'jonas');
select tests.post_with_media('his post', 'jonas', 'his');
select tests.article('hers', 'maya');
select tests.article('without', 'maya');

create function pg_temp.refusal(variadic p_names text[])
returns jsonb
language sql
return tests.error_of(format('select app.attach_media(%L, %L)', tests.id('hers'), tests.ids(variadic p_names)));

select tests.authenticate_as('maya');
select is(
  pg_temp.refusal('picture', 'face'),
  '{
    "state": "PT422", "code": "VALIDATION_FAILED",
    "details": {"issues": [
      {
        "path": ["article", "assetIds", 1], "code": "unknown_asset",
        "message": "Not a completed upload of yours for this purpose."
      }
    ]}
  }',
  'a refused asset is a validation issue with its path'
);
select is(pg_temp.refusal(variadic names) #>> '{details,issues,0,path}', path, title)
from (
  values
    (array['hub'], '["article", "assetIds", 0]', 'an article cannot show a Hub photo'),
    (array['his', 'picture'], '["article", "assetIds", 0]', 'an article cannot show a visible asset of another person'),
    (array['picture', 'picture', 'nothing'], '["article", "assetIds", 2]', 'an article cannot show an unknown asset')
) as c (names, path, title);
select is(count(*)::integer, 1, 'a refused list of assets attaches none of them') from app.article_assets;
select app.attach_media(tests.id('hers'), tests.ids('second', 'paper', 'picture'));
select set_eq(
  $$ select place, asset_id from app.article_assets where article_id = tests.id('hers') $$,
  $$ values (1, tests.id('second')), (2, tests.id('paper')), (3, tests.id('picture')) $$,
  'attach_media keeps the order of the assets'
);
select lives_ok($$ select app.attach_media(tests.id('without'), '{}') $$, 'attach_media accepts an empty list');

rollback to empty;

-- create_post requires level 3, and for Hubs level 4 and membership.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);
create function pg_temp.args(p_visibility text, variadic p_hubs text[])
returns jsonb
language sql
return jsonb_build_object('thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)));

select is(tests.refusals('create_post', args), expected, title)
from (
  values
    (
      pg_temp.args('private_locked_hub', 'elm'), tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'only Hub-ready members publish a private post in their Hub'
    ),
    (
      pg_temp.args('public_hub', 'elm'), tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'only Hub-ready members publish a public post in their Hub'
    ),
    (
      pg_temp.args('public_hub', 'elm', 'ash'), tests.refusals_of_all('FORBIDDEN'),
      'a post to several Hubs requires membership in each of them'
    ),
    (pg_temp.args('public_hub', 'unknown'), tests.refusals_of_all('FORBIDDEN'), 'nobody publishes in an unknown Hub'),
    (
      pg_temp.args('public', 'elm'), tests.refusals_of_all('VALIDATION_FAILED') || '{"nina": "VALIDATION_FAILED"}',
      'a post for everybody cannot have hubIds'
    ),
    (
      '{"thoughtText": "Trams", "visibility": "public_hub"}', tests.refusals_of_all('VALIDATION_FAILED'),
      'a post for Hubs must have hubIds'
    )
) as c (args, expected, title);
select tests.authenticate_as('three');
select is(
  tests.error_of(format('select api.create_post(%L)', pg_temp.args('public_hub', 'elm'))) -> 'details',
  '{"requiredLevel": 4, "level": 3, "nextStep": "contacts"}', 'a refused Hub post names the required level and the next step'
);
reset role;
select is(
  tests.refusal_as(caller, $$ select api.create_post('{"thoughtText": "Trams", "visibility": "public"}') $$), expected, title
)
from (
  values
    (null, '42501', 'a guest cannot publish a post'),
    ('one', 'PT403 FORBIDDEN', 'an anonymous user cannot publish a post'),
    ('two', 'PT403 FORBIDDEN', 'a registered user without a phone cannot publish a post'),
    ('three', null, 'a phone-confirmed user publishes a post')
) as c (caller, expected, title);
select results_eq('select author_id from app.posts', tests.ids('three'), 'a refused create_post publishes nothing');

rollback to empty;

-- create_post places a post in its Hubs.
select tests.elm();
select tests.hub('ash', 'jonas');
create function pg_temp.create(p_visibility text, variadic p_hubs text[])
returns jsonb
language sql
return api.create_post(
  jsonb_build_object('thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)))
);

select tests.authenticate_as('jonas');
create temporary table answers as
select
  pg_temp.create('private_locked_hub', 'elm') as locked,
  pg_temp.create('private_locked_hub', 'elm', 'ash') as in_two,
  pg_temp.create('public_hub', 'elm') as public;
select is(
  locked -> 'hubs', jsonb_build_array(jsonb_build_object('id', tests.id('elm'), 'name', 'elm')),
  'a new post names its Hub on its card'
)
from answers;
select is(locked -> 'visibility', '"private_locked_hub"', 'a private post has the visibility private_locked_hub') from answers;
select is(answer -> 'isShareable', expected, title)
from (
  select locked, 'false'::jsonb, 'a private post in one Hub cannot be shared' from answers
  union all select in_two, 'true', 'a private post in two Hubs can be shared' from answers
  union all select public, 'true', 'a public post in one Hub can be shared' from answers
) as c (answer, expected, title);
reset role;
select set_eq(
  'select post_id, hub_id from app.placements',
  $$
    select (locked ->> 'id')::uuid, tests.id('elm') from answers
    union all select (in_two ->> 'id')::uuid, unnest(tests.ids('elm', 'ash')) from answers
    union all select (public ->> 'id')::uuid, tests.id('elm') from answers
  $$,
  'create_post places each post in the Hubs of its hubIds'
);

rollback to empty;

-- create_post answers the detail of the new post.
select tests.person('maya', 3);
select tests.authenticate_as('maya');
create temporary table answers as
select api.create_post('{
  "article": {"url": "https://example.com", "title": "Trams", "text": "They ring."}, "thoughtText": "I like them.",
  "sliderText": "More of them?", "slider": {"leftLabel": "No", "rightLabel": "Yes"}, "visibility": "public"
}') as post;

select is(
  post - 'id' - 'author' - 'permissions' #- '{article,id}',
  '{
    "article": {"url": "https://example.com", "title": "Trams", "text": "They ring.", "media": []},
    "thoughtText": "I like them.", "sliderText": "More of them?", "slider": {"leftLabel": "No", "rightLabel": "Yes"},
    "visibility": "public", "hubs": [], "sourcePostId": null, "sourcePost": null, "isShareable": true,
    "viewerVote": {"hasVoted": false, "votedAt": null}, "voteScope": {"type": "global", "hubId": null},
    "voteSummary": {"totalVotes": 0, "resultsVisible": false, "leftCount": null, "neutralCount": null, "rightCount": null},
    "commentCount": 0, "repostCount": 0, "viewerSaved": false
  }' || jsonb_build_object('createdAt', app.iso(app.now())),
  'the card of a new post shows all of its fields'
)
from answers;
select is(post -> 'author' ->> 'username', 'maya', 'the card of a new post names its author') from answers;
select is(
  post -> 'permissions',
  '{"canVote": true, "canComment": true, "canRepost": true, "canShareToFeed": true, "canShareToHubs": false, "canDelete": true}',
  'a new post answers the permissions of its phone-confirmed author'
)
from answers;
select is(api.create_post(args) -> 'slider', expected, title)
from (
  values
    (
      '{"sliderText": "More trams?", "visibility": "public"}'::jsonb, '{"leftLabel": "Disagree", "rightLabel": "Agree"}'::jsonb,
      'a slider without labels gets the labels Disagree and Agree'
    ),
    ('{"thoughtText": "Trams", "visibility": "public"}', 'null', 'a post without a slider has no labels')
) as c (args, expected, title);

rollback to empty;

-- create_repost takes a visible, shareable original.
select tests.elm();
select tests.person('two', 2);
select tests.person('three', 3);
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.placement('for two', 'ash');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.args(p_post text, p_visibility text default 'public', variadic p_hubs text[] default '{}')
returns jsonb
language sql
return tests.post_args(p_post)
  || jsonb_build_object('thoughtText', 'Mine', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)));

create function pg_temp.refusal(p_caller text, p_args jsonb)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.create_repost(%L)', p_args));

select is(pg_temp.refusal(caller, args), expected, title)
from (
  values
    (null, pg_temp.args('trams'), '42501', 'a guest cannot repost a post'),
    ('two', pg_temp.args('trams'), 'PT403 FORBIDDEN', 'a registered user without a phone cannot repost a post'),
    ('three', pg_temp.args('trams'), null, 'a phone-confirmed user reposts a public post'),
    ('three', pg_temp.args('trams', 'public_hub', 'elm'), 'PT403 FORBIDDEN', 'a phone-confirmed user cannot repost into a Hub'),
    ('jonas', pg_temp.args('trams', 'public_hub', 'elm'), null, 'a member reposts into their Hub'),
    ('jonas', pg_temp.args('trams', 'public_hub', 'ash'), 'PT403 FORBIDDEN', 'a non-member cannot repost into a Hub'),
    ('jonas', pg_temp.args('trams', 'public_hub'), 'PT422 VALIDATION_FAILED', 'a repost for Hubs must have hubIds'),
    ('jonas', pg_temp.args('unknown'), 'PT404 POST_NOT_FOUND', 'create_repost finds no unknown post'),
    ('jonas', pg_temp.args('hidden'), 'PT404 POST_NOT_FOUND', 'create_repost finds no hidden post'),
    ('maya', pg_temp.args('again'), 'PT409 REPOST_NOT_ALLOWED', 'nobody can repost a repost'),
    ('maya', pg_temp.args('locked'), 'PT409 REPOST_NOT_ALLOWED', 'a member cannot repost a private post of one Hub'),
    ('jonas', pg_temp.args('locked'), 'PT409 REPOST_NOT_ALLOWED', 'an author cannot repost their own private post of one Hub'),
    ('maya', pg_temp.args('for two'), null, 'a member reposts a private post of two Hubs')
) as c (caller, args, expected, title);
update app.users set contacts_synced_at = null where id = tests.id('maya');
select is(pg_temp.refusal('maya', pg_temp.args(post)), expected, title)
from (
  values
    ('for two', 'PT403 FORBIDDEN', 'a repost of a private post requires level 4'),
    ('trams', null, 'a member below level 4 reposts a public post')
) as c (post, expected, title);
select tests.authenticate_as('amara');
create temporary table answers as
select api.create_repost(
  pg_temp.args('trams') || jsonb_build_object('sliderText', 'More?', 'article', jsonb_build_object('title', 'Mine'))
) as answer;
select is(
  answer - 'permissions', (select card from app.post_cards(array[(answer ->> 'id')::uuid])),
  'create_repost answers the card of the repost'
)
from answers;
select results_eq(
  $$
    select p.author_id, p.source_post_id, p.article_id, p.thought_text, p.slider_text
    from answers
    join app.posts as p on p.id = (answer ->> 'id')::uuid
  $$,
  $$ values (tests.id('amara'), tests.id('trams'), null::uuid, 'Mine', 'More?') $$,
  'a repost has its own thought and slider, and no article'
);
select is(answer -> 'permissions' -> 'canRepost', 'false', 'the detail of a repost permits no further repost') from answers;

rollback to empty;

-- A placement starts a discussion, enters the Hub feed and notifies.
select tests.elm();
select tests.hub('ash', 'amara');
select tests.hub('oak', 'amara');
update app.hubs set last_activity_at = app.now() - interval '1 day';
select tests.post('trams', 'lena', 'private_locked_hub');
create temporary table emitted (place integer generated always as identity, hub_id uuid);
create function pg_temp.log_event()
returns trigger
language plpgsql
security definer
as 'begin insert into emitted (hub_id) values (new.hub_id); return null; end';
create trigger emitted after insert on app.events for each row execute function pg_temp.log_event();
insert into app.placements (post_id, hub_id, kind, placed_by, placed_at)
select tests.id('trams'), hub.id, hub.kind::app.placement_kind, tests.id('jonas'), app.now() - interval '1 hour'
from (values (tests.id('elm'), 'targeted'), (tests.id('ash'), 'shared')) as hub (id, kind)
order by hub.id desc;

select set_eq(
  'select post_id, hub_id, message_count, last_activity_at from app.discussions',
  $$ select tests.id('trams'), hub, 0, app.now() from unnest(tests.ids('elm', 'ash')) as hub $$,
  'each placement starts an empty discussion'
);
select set_eq(
  'select id from app.hubs where last_activity_at = app.now()', tests.ids('elm', 'ash'),
  'a placement counts as activity of its Hub'
);
select set_eq(
  'select hub_id, actor_id, source_id, post_id, kind::text, occurred_at, ended_at from app.feed_events',
  $$
    select
      tests.id(hub), tests.id('jonas') as actor_id, tests.id(hub) as source_id, tests.id('trams') as post_id, kind,
      app.now() - interval '1 hour', null::timestamptz as ended_at
    from (values ('elm', 'targeted'), ('ash', 'shared_to_hub')) as hub (hub, kind)
  $$,
  'a placement enters the feed of its Hub alone, at the time of the placement'
);
select set_eq(
  'select tests.post_events()', array['hub_post_created by jonas in elm of trams', 'post_shared_to_hub by jonas in ash of trams'],
  'a placement notifies members of a new or of a shared post'
);
select is(
  array(select hub_id from emitted order by place), array(select hub from unnest(tests.ids('elm', 'ash')) as hub order by hub),
  'placements in several Hubs emit their events in the order of Hub ids'
);
delete from app.events;
select tests.repost('again', 'jonas', 'trams', 'public_hub');
delete from app.events;
select tests.placement('again', 'elm');
select results_eq(
  'select tests.post_events()', array['post_shared_to_hub by jonas in elm of again'],
  'a placement of a public repost notifies members of a share'
);
delete from app.events;
select tests.repost('for two', 'jonas', 'trams', 'private_locked_hub');
select is_empty('select from app.events', 'a private repost notifies nobody before its placement');
select tests.placement('for two', 'elm');
select set_eq(
  'select tests.post_events()',
  array['post_shared_to_hub by jonas in elm of for two', 'post_reposted by jonas in elm of for two'],
  'a placement of a private repost notifies the original author as well'
);
delete from app.events;
select tests.placement('for two', 'ash', p_kind => 'shared', p_by => 'amara');
select results_eq(
  'select tests.post_events()', array['post_shared_to_hub by amara in ash of for two'],
  'sharing a private repost onward does not notify the original author again'
);

rollback to empty;

-- A publication enters feeds, counts at its original and notifies.
select tests.elm();
select app.set_clock_offset('-1 day');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.post('locked', 'jonas', 'private_locked_hub');
select set_eq(
  $$ select tests.activity_on('trams') $$, array['published by lena'], 'a public post enters the feed events of its author'
);
select is_empty($$ select tests.activity_on('locked') $$, 'a private post enters no feed by publication');
select set_eq(
  'select tests.post_events()', array['followed_user_posted by lena of trams', 'followed_user_posted by lena of bikes'],
  'a public post notifies followers and a private one does not'
);
select app.set_clock_offset('0');
delete from app.feed_events;
delete from app.events;
insert into app.posts (id, author_id, source_post_id, thought_text, visibility)
values
  (tests.id('one'), tests.id('jonas'), tests.id('trams'), 'one', 'public'),
  (tests.id('two'), tests.id('maya'), tests.id('trams'), 'two', 'public_hub'),
  (tests.id('three'), tests.id('jonas'), tests.id('bikes'), 'three', 'private_locked_hub'),
  (tests.id('four'), tests.id('jonas'), tests.id('locked'), 'four', 'public');
select set_eq(
  $$ select tests.activity_on('one') $$, array['published by jonas', 'published by jonas in elm'],
  'a public repost enters the feeds of its author and of their Hubs'
);
select set_eq(
  $$ select tests.activity_on('trams') $$,
  array['reposted by jonas', 'reposted by jonas in elm', 'reposted by maya', 'reposted by maya in elm'],
  'a repost brings its original into the feeds of the reposter and of their Hubs'
);
select is_empty($$ select tests.activity_on('locked') $$, 'a repost brings no private original into feeds');
select is_empty(
  'select from app.feed_events where occurred_at <> app.now()', 'feed events of a repost have the time of the repost'
);
select results_eq(
  'select thought_text, repost_count from app.posts where repost_count > 0 order by thought_text',
  $$ values ('bikes', 1), ('locked', 1), ('trams', 2) $$, 'each repost raises the repost count of its original'
);
select set_eq(
  'select post_id, score from app.trending_scores',
  $$
    values
      (tests.id('trams'), app.raised_score(null, 6)), (tests.id('bikes'), app.raised_score(null, 3)),
      (tests.id('locked'), app.raised_score(null, 3))
  $$,
  'each repost adds 3 to the trending score of its original, and publication adds none'
);
select set_eq(
  'select tests.post_events()',
  array[
    'post_reposted by jonas of one', 'followed_user_posted by jonas of one', 'post_reposted by maya of two',
    'followed_user_posted by maya of two', 'post_reposted by jonas of four', 'followed_user_posted by jonas of four'
  ],
  'each public repost notifies the original author and the followers once'
);

rollback to empty;

-- place_post answers the Hubs that are new to the post.
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.hub('oak', 'jonas');
select tests.post('trams', 'jonas', 'public_hub');
select tests.placement('trams', 'elm', app.now() - interval '1 day', p_by => 'maya');
select tests.authenticate_as('jonas');
select is(
  app.place_post(tests.id('trams'), tests.ids('elm', 'ash'), 'shared'), tests.ids('ash'),
  'place_post answers only the Hubs without an earlier placement'
);
select is(
  app.place_post(tests.id('trams'), tests.ids('elm', 'ash'), 'shared'), null, 'place_post answers null if every placement exists'
);
reset role;
select set_eq(
  'select hub_id, kind::text, placed_by, placed_at from app.placements',
  $$
    values
      (tests.id('elm'), 'targeted', tests.id('maya'), app.now() - interval '1 day'),
      (tests.id('ash'), 'shared', tests.id('jonas'), app.now())
  $$,
  'a repeated placement leaves the existing one unchanged'
);
select set_eq(
  'select hub_id from app.discussions', tests.ids('elm', 'ash'), 'a repeated placement keeps one discussion in each Hub'
);
select is(count(*), 2::bigint, 'a repeated placement notifies nobody') from app.events where hub_id is not null;
select is(count(*), 2::bigint, 'a repeated placement adds no feed event')
from app.feed_events where kind in ('targeted', 'shared_to_hub');
select bag_eq(
  'select hub_id, user_id from app.memberships where seen_at is not null',
  $$ values (tests.id('elm'), tests.id('jonas')), (tests.id('ash'), tests.id('jonas')) $$,
  'place_post counts as use of the Hubs by the caller'
);

rollback to empty;

-- place_post requires membership and a post that the caller may place.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('hers', 'lena');
select tests.post('his', 'jonas');
select tests.post('locked', 'maya', 'private_locked_hub');
update app.posts set is_shareable = false where id = tests.id('locked');

create function pg_temp.refusal(p_caller text, p_post text, p_hubs uuid[], p_kind text)
returns text
language sql
return tests.refusal_as(p_caller, format('select app.place_post(%L, %L, %L)', tests.id(p_post), p_hubs, p_kind));

select is(pg_temp.refusal(caller, post, hubs, kind), expected, title)
from (
  values
    ('jonas', 'hers', tests.ids('elm'), 'targeted', '42501', 'a person cannot target a Hub with the post of another author'),
    ('jonas', 'unknown', tests.ids('elm'), 'targeted', 'PT404 POST_NOT_FOUND', 'place_post finds no unknown post'),
    ('jonas', 'locked', tests.ids('elm'), 'shared', 'PT404 POST_NOT_FOUND', 'place_post finds no hidden post'),
    ('maya', 'locked', tests.ids('elm'), 'shared', '42501', 'an author cannot share a post that is not shareable'),
    ('jonas', 'his', tests.ids('elm', 'ash'), 'targeted', 'PT403 FORBIDDEN', 'a non-member cannot target a Hub'),
    ('jonas', 'hers', tests.ids('elm', 'ash'), 'shared', 'PT403 FORBIDDEN', 'a non-member cannot share into a Hub'),
    ('jonas', 'his', tests.ids('unknown'), 'targeted', 'PT403 FORBIDDEN', 'nobody can place a post in an unknown Hub'),
    ('jonas', 'his', array[null::uuid], 'targeted', 'PT403 FORBIDDEN', 'nobody can place a post in a Hub without an id')
) as c (caller, post, hubs, kind, expected, title);
select is_empty('select from app.placements', 'a refused place_post places nothing');
select is(pg_temp.refusal('jonas', 'his', '{}', 'targeted'), null, 'place_post accepts an empty list of Hubs');
select is_empty('select from app.placements', 'place_post with an empty list places nothing');
select is(
  pg_temp.refusal('jonas', 'hers', tests.ids('elm'), 'shared'), null, 'a member shares the post of another author into their Hub'
);

rollback to empty;

-- publish inserts the post, places it and answers its detail.
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.hub('oak', 'lena');
select tests.post('trams', 'lena');
select tests.article('about trams', 'jonas');

create function pg_temp.publish(
  p_args jsonb, p_article uuid default null, p_source uuid default null, variadic p_hubs text[] default '{}'
)
returns jsonb
language sql
return app.publish(p_args || jsonb_build_object('hubIds', to_jsonb(tests.ids(variadic p_hubs))), p_article, p_source);

create function pg_temp.columns(p_detail jsonb)
returns jsonb
language sql
return (
  select jsonb_build_array(
    author.username, p.article_id, p.source_post_id, p.thought_text, p.slider_text, p.left_label, p.right_label, p.visibility,
    p.is_shareable
  )
  from app.posts as p
  join app.profiles as author on author.user_id = p.author_id
  where p.id = (p_detail ->> 'id')::uuid
);

select tests.authenticate_as('jonas');
create temporary table answers as
select
  pg_temp.publish('{"thoughtText": "Mine", "sliderText": "More?", "visibility": "public"}', tests.id('about trams')) as original,
  pg_temp.publish(
    '{"sliderText": "Less?", "slider": {"leftLabel": "No", "rightLabel": "Yes"}, "visibility": "private_locked_hub"}', null,
    tests.id('trams'), 'elm', 'ash'
  ) as repost,
  pg_temp.publish('{"thoughtText": "One", "visibility": "private_locked_hub"}', null, null, 'elm') as locked,
  app.publish('{"thoughtText": "None", "hubIds": null, "visibility": "public"}', null, null) as plain;
select is(pg_temp.columns(answer), expected, title)
from (
  select
    original, jsonb_build_array('jonas', tests.id('about trams'), null, 'Mine', 'More?', 'Disagree', 'Agree', 'public', true),
    'publish stores a public post with its article and the usual labels'
  from answers
  union all
  select
    repost, jsonb_build_array('jonas', null, tests.id('trams'), null, 'Less?', 'No', 'Yes', 'private_locked_hub', true),
    'publish stores a repost with its source, and as shareable in two Hubs'
  from answers
  union all
  select
    locked, jsonb_build_array('jonas', null, null, 'One', null, null, null, 'private_locked_hub', false),
    'publish stores a private post of one Hub as not shareable'
  from answers
) as c (answer, expected, title);
select bag_eq(
  $$ select p.post_id, p.hub_id, p.kind::text from app.placements as p $$,
  $$
    select (repost ->> 'id')::uuid, unnest(tests.ids('elm', 'ash')), 'targeted' from answers
    union all select (locked ->> 'id')::uuid, tests.id('elm'), 'targeted' from answers
  $$,
  'publish places a post in its Hubs as targets'
);
select is(plain ->> 'thoughtText', 'None', 'publish accepts hubIds that are null') from answers;
select is(original, app.post_detail((original ->> 'id')::uuid), 'publish answers the detail of a public post') from answers;
select is(locked, app.post_detail((locked ->> 'id')::uuid), 'publish answers the detail of a private post') from answers;
select throws_ok(
  $$ select pg_temp.publish('{"thoughtText": "One", "visibility": "public_hub"}', null, null, 'elm', 'oak') $$,
  'PT403', 'FORBIDDEN', 'a non-member of one of the Hubs publishes nothing'
);

rollback to empty;

-- require_destination checks level and hubIds against the visibility.
select tests.person('two', 2);
select tests.person('three', 3);
select tests.person('four', 4);

create function pg_temp.refusal(p_caller text, p_visibility text, p_hubs jsonb)
returns text
language sql
return tests.refusal_as(
  p_caller, format('select app.require_destination(%L)', jsonb_build_object('visibility', p_visibility, 'hubIds', p_hubs))
);

select is(pg_temp.refusal(caller, visibility, hubs), expected, title)
from (
  values
    ('two', 'public', null, 'PT403 FORBIDDEN', 'the visibility public requires level 3'),
    ('three', 'public', null, null, 'level 3 may publish with the visibility public'),
    ('three', 'public', '[]', null, 'the visibility public accepts empty hubIds'),
    ('three', 'public_hub', to_jsonb(tests.ids('a')), 'PT403 FORBIDDEN', 'the visibility public_hub requires level 4'),
    ('four', 'public_hub', to_jsonb(tests.ids('a')), null, 'level 4 may publish with the visibility public_hub'),
    (
      'four', 'private_locked_hub', to_jsonb(tests.ids('a', 'b')), null,
      'level 4 may publish with the visibility private_locked_hub'
    ),
    ('four', 'public', to_jsonb(tests.ids('a')), 'PT422 VALIDATION_FAILED', 'the visibility public refuses hubIds'),
    ('four', 'private_locked_hub', '[]', 'PT422 VALIDATION_FAILED', 'the visibility private_locked_hub refuses empty hubIds'),
    ('four', 'public_hub', null, 'PT422 VALIDATION_FAILED', 'the visibility public_hub refuses missing hubIds')
) as c (caller, visibility, hubs, expected, title);

select * from finish();
rollback;
