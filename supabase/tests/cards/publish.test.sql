begin;
select plan(57);
savepoint empty;

-- create_post requires level 3, for Hubs level 4 and membership, and media of the author.
-- docs/product.md PO9, PO10
select tests.elm();
select tests.hub('ash', 'lena');
select tests.person('one', 1), tests.person('two', 2), tests.person('three', 3);
select tests.asset('picture', 'three'), tests.asset('face', 'three', 'profile_photo'), tests.asset('his', 'jonas');
create function pg_temp.args(p_visibility text, variadic p_hubs text[] default '{}')
returns jsonb
language sql
return jsonb_build_object(
  'thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs))
);

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
      pg_temp.args('public_hub') - 'hubIds', tests.refusals_of_all('VALIDATION_FAILED'),
      'a public post for Hubs must have hubIds'
    ),
    (
      pg_temp.args('private_locked_hub') || '{"hubIds": []}', tests.refusals_of_all('VALIDATION_FAILED'),
      'a private post cannot have empty hubIds'
    )
) as c (args, expected, title);
select tests.authenticate_as('three');
select is(
  tests.error_of(format('select api.create_post(%L)', pg_temp.args('public_hub', 'elm'))) -> 'details',
  '{"requiredLevel": 4, "level": 3, "nextStep": "contacts"}',
  'a refused Hub post names the required level and the next step'
);
select is(tests.error_of(format('select api.create_post(%L)', jsonb_build_object(
  'visibility', 'public', 'article', jsonb_build_object('assetIds', to_jsonb(tests.ids(variadic names)))
))) #> '{details,issues,0,path}', path, title)
from (
  values
    (array['picture', 'face'], '["article", "assetIds", 1]'::jsonb, 'an article cannot show a profile photo'),
    (array['his', 'picture'], '["article", "assetIds", 0]', 'an article cannot show an asset of another person'),
    (array['picture', 'nothing'], '["article", "assetIds", 1]', 'an article cannot show an unknown asset')
) as c (names, path, title);
reset role;
select is(
  tests.refusal_as(caller, $$ select api.create_post('{"thoughtText": "Trams", "visibility": "public"}') $$), expected,
  title
)
from (
  values
    ('one', 'PT403 FORBIDDEN', 'an anonymous user cannot publish a post'),
    ('two', 'PT403 FORBIDDEN', 'a registered user without a phone cannot publish a post'),
    ('three', null, 'a phone-confirmed user publishes a post')
) as c (caller, expected, title);

rollback to empty;

-- create_post places a post in its Hubs (docs/product.md PO10).
select tests.elm();
select tests.hub('ash', 'jonas');
create function pg_temp.create(p_visibility text, variadic p_hubs text[])
returns jsonb
language sql
return api.create_post(
  jsonb_build_object('thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)))
)::jsonb;

select tests.authenticate_as('jonas');
create temporary table answers as
select
  pg_temp.create('private_locked_hub', 'elm') as locked,
  pg_temp.create('private_locked_hub', 'elm', 'ash') as in_two,
  pg_temp.create('public_hub', 'elm') as public;
select results_eq(
  $$
    select
      locked #>> '{hubs,0,name}', locked -> 'visibility', locked -> 'isShareable', in_two -> 'isShareable',
      public -> 'isShareable'
    from answers
  $$,
  $$ values ('elm', '"private_locked_hub"'::jsonb, 'false'::jsonb, 'true'::jsonb, 'true'::jsonb) $$,
  'the card of a new post names its Hub, and all but a private post of one Hub can be shared'
);
reset role;
select set_eq(
  'select post_id, hub_id, kind::text from app.placements',
  $$
    select (locked ->> 'id')::uuid, tests.id('elm'), 'targeted' from answers
    union all select (in_two ->> 'id')::uuid, unnest(tests.ids('elm', 'ash')), 'targeted' from answers
    union all select (public ->> 'id')::uuid, tests.id('elm'), 'targeted' from answers
  $$,
  'create_post targets the Hubs of its hubIds'
);

rollback to empty;

-- create_post answers the detail of the new post.
select tests.person('maya', 3);
select tests.authenticate_as('maya');
create temporary table answers as
select api.create_post('{
  "article": {"url": "https://example.com", "title": "Trams", "text": "They ring."}, "thoughtText": "I like them.",
  "sliderText": "More of them?", "slider": {"leftLabel": "No", "rightLabel": "Yes"}, "visibility": "public"
}')::jsonb as post;

select is(
  post - 'id' - 'author' #- '{article,id}' || jsonb_build_object('author', post #> '{author,username}'),
  '{
    "article": {"url": "https://example.com", "title": "Trams", "text": "They ring.", "media": []},
    "thoughtText": "I like them.", "sliderText": "More of them?", "slider": {"leftLabel": "No", "rightLabel": "Yes"},
    "visibility": "public", "hubs": [], "sourcePostId": null, "sourcePost": null, "isShareable": true,
    "viewerVote": {"hasVoted": false, "votedAt": null}, "voteScope": {"type": "global", "hubId": null},
    "voteSummary": {"totalVotes": 0, "resultsVisible": false, "leftCount": null, "neutralCount": null,
    "rightCount": null},
    "commentCount": 0, "repostCount": 0, "viewerSaved": false, "author": "maya",
    "permissions": {
      "canVote": true, "canComment": true, "canRepost": true, "canShareToFeed": true, "canShareToHubs": false,
      "canDelete": true
    }
  }' || jsonb_build_object('createdAt', app.iso(app.now())),
  'the detail of a new post shows all of its fields'
)
from answers;
select is(api.create_post(args)::jsonb -> 'slider', expected, title)
from (
  values
    (
      '{"sliderText": "More trams?", "visibility": "public"}'::jsonb,
      '{"leftLabel": "Disagree", "rightLabel": "Agree"}'::jsonb,
      'a slider without labels gets the labels Disagree and Agree'
    ),
    ('{"thoughtText": "Trams", "visibility": "public"}', 'null', 'a post without a slider has no labels')
) as c (args, expected, title);

rollback to empty;

-- create_repost takes a visible, shareable original (docs/product.md PO3, PO4, PO9).
select tests.elm();
select tests.person('two', 2);
select tests.person('three', 3);
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm');
select tests.discussion('for two', 'jonas', 'elm');
select tests.placement('for two', 'ash');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.args(p_post text, p_visibility text default 'public', variadic p_hubs text[] default '{}')
returns jsonb
language sql
return tests.post_args(p_post)
  || jsonb_build_object(
    'thoughtText', 'Mine', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs))
  );

create function pg_temp.refusal(p_caller text, p_args jsonb)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.create_repost(%L)', p_args));

select is(pg_temp.refusal(caller, args), expected, title)
from (
  values
    ('two', pg_temp.args('trams'), 'PT403 FORBIDDEN', 'a registered user without a phone cannot repost a post'),
    ('three', pg_temp.args('trams'), null, 'a phone-confirmed user reposts a public post'),
    (
      'three', pg_temp.args('trams', 'public_hub', 'elm'), 'PT403 FORBIDDEN',
      'a phone-confirmed user cannot repost into a Hub'
    ),
    ('jonas', pg_temp.args('trams', 'public_hub', 'elm'), null, 'a member reposts into their Hub'),
    ('jonas', pg_temp.args('trams', 'public_hub', 'ash'), 'PT403 FORBIDDEN', 'a non-member cannot repost into a Hub'),
    ('jonas', pg_temp.args('trams', 'public_hub'), 'PT422 VALIDATION_FAILED', 'a repost for Hubs must have hubIds'),
    ('jonas', pg_temp.args('unknown'), 'PT404 POST_NOT_FOUND', 'create_repost finds no unknown post'),
    ('jonas', pg_temp.args('hidden'), 'PT404 POST_NOT_FOUND', 'create_repost finds no hidden post'),
    ('maya', pg_temp.args('again'), 'PT409 REPOST_NOT_ALLOWED', 'nobody can repost a repost'),
    ('maya', pg_temp.args('locked'), 'PT409 REPOST_NOT_ALLOWED', 'a member cannot repost a private post of one Hub'),
    (
      'jonas', pg_temp.args('locked'), 'PT409 REPOST_NOT_ALLOWED',
      'an author cannot repost their own private post of one Hub'
    ),
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
)::jsonb as answer;
select is(
  answer - 'permissions', (app.seen_cards(array[(answer ->> 'id')::uuid]))[1]::jsonb,
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
select is(
  answer -> 'permissions' -> 'canRepost', 'false', 'the detail of a repost permits no further repost'
) from answers;

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
  'select tests.post_events()',
  array['hub_post_created by jonas in elm of trams', 'post_shared_to_hub by jonas in ash of trams'],
  'a placement notifies members of a new or of a shared post'
);
select is(
  array(select hub_id from emitted order by place),
  array(select hub from unnest(tests.ids('elm', 'ash')) as hub order by hub),
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

-- A publication enters feeds, counts at its original and notifies (docs/product.md F4, F6, F16).
select tests.elm();
select app.set_clock_offset('-1 day');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.post('locked', 'jonas', 'private_locked_hub');
select set_eq(
  $$ select tests.activity_on('trams') $$, array['published by lena'],
  'a public post enters the feed events of its author'
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
select set_eq(
  $$ select tests.activity_on('bikes') $$, array['reposted by jonas', 'reposted by jonas in elm'],
  'a private repost brings its public original into feeds'
);
select is_empty($$ select tests.activity_on('three') $$, 'a private repost itself enters no feed by publication');
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
      (tests.id('trams'), app.sum_of_scores(app.activity_score(3, app.now()), app.activity_score(3, app.now()))),
      (tests.id('bikes'), app.activity_score(3, app.now()))
  $$,
  'each repost adds 3 to the trending score of its original, but not of an own one, and publication adds none'
);
select set_eq(
  'select tests.post_events()',
  array[
    'post_reposted by jonas of one', 'followed_user_posted by jonas of one', 'post_reposted by maya of two',
    'followed_user_posted by maya of two', 'post_reposted by jonas of four', 'followed_user_posted by jonas of four'
  ],
  'each public repost notifies the original author and the followers once'
);

select * from finish();
rollback;
