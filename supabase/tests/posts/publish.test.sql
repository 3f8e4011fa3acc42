begin;
select plan(109);
savepoint empty;

-- attach_media: keeps their order
select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.asset('second', 'maya');
select tests.article('hers', 'maya');
select tests.article('without', 'maya');
select tests.authenticate_as('maya');
select app.attach_media(tests.id('hers'), array[tests.id('second'), tests.id('paper'), tests.id('picture')]);
select set_eq(
  'select place, asset_id from app.article_assets', $$ values (1, tests.id('second')), (2, tests.id('paper')), (3, tests.id('picture')) $$, 'as given'
);
select lives_ok($$ select app.attach_media(tests.id('without'), '{}') $$, 'or none');

rollback to empty;

-- attach_media: takes ones own post media
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('picture', 'maya');
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('hub', 'maya', 'hub_photo');
select tests.asset('his', 'jonas');
select tests.illustrated_post('his post', 'jonas', 'his');
select tests.article('hers', 'maya');

create function pg_temp.refused(variadic p_names text[])
returns jsonb
language sql
return tests.error_of(format(
  'select app.attach_media(%L, %L)', tests.id('hers'), (select array_agg(tests.id(name) order by place) from unnest(p_names) with ordinality as given (name, place))
));

select tests.authenticate_as('maya');
select is(
  pg_temp.refused('picture', 'face') #> '{details,issues}',
  '[{"path": ["article", "assetIds", 1], "code": "unknown_asset", "message": "Not a completed upload of yours for this purpose."}]',
  'a profile photo is none, and it is told which it was'
);
select is(pg_temp.refused('hub') #> '{details,issues,0,path}', '["article", "assetIds", 0]', 'nor is the photo of a Hub');
select is(pg_temp.refused('his', 'picture') #> '{details,issues,0,path}', '["article", "assetIds", 0]', 'nor what is another''s, even where one sees it');
select is(pg_temp.refused('picture', 'picture', 'nothing') #> '{details,issues,0,path}', '["article", "assetIds", 2]', 'nor what is not there');
select is(pg_temp.refused('nothing') - 'details', '{"state": "PT422", "code": "VALIDATION_FAILED"}', 'each as a bad argument');
select is(count(*)::integer, 1, 'and nothing is attached') from app.article_assets;
select is(pg_temp.refused('picture'), null, 'an own picture is taken');

rollback to empty;

-- create_post: labels a slider
select tests.person('maya', 3);
select tests.authenticate_as('maya');
select is(
  api.create_post('{"sliderText": "More trams?", "visibility": "public"}') -> 'slider',
  '{"leftLabel": "Disagree", "rightLabel": "Agree"}', 'a slider without labels has the usual ones'
);
select is(
  api.create_post('{"thoughtText": "Trams", "visibility": "public"}') -> 'slider', 'null', 'without a slider there are none'
);

rollback to empty;

-- create_post: names hubs of ones own
select tests.elm();
select tests.hub('ash', 'lena');
create function pg_temp.args(p_visibility text, variadic p_hubs text[])
returns jsonb
language sql
return jsonb_build_object('thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)));

select is(
  tests.refusals('create_post', pg_temp.args('private_locked_hub', 'elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'members post into a Hub'
);
select is(
  tests.refusals('create_post', pg_temp.args('public_hub', 'elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'whether everybody may read it or not'
);
select is(tests.refusals('create_post', pg_temp.args('public_hub', 'elm', 'ash')), tests.everybody('FORBIDDEN'), 'of every one that is named');
select is(tests.refusals('create_post', pg_temp.args('public_hub', 'unknown')), tests.everybody('FORBIDDEN'), 'of none there are no members');
select is(
  tests.refusals('create_post', pg_temp.args('public', 'elm')), tests.everybody('VALIDATION_FAILED') || '{"nina": "VALIDATION_FAILED"}', 'a public post with hubIds is refused'
);
select is(
  tests.refusals('create_post', '{"thoughtText": "Trams", "visibility": "public_hub"}'), tests.everybody('VALIDATION_FAILED'), 'a Hub post without hubIds is refused'
);
select is_empty('select from app.posts', 'and nothing is published');

rollback to empty;

-- create_post: needs a confirmed phone
select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);
prepare publish as select api.create_post('{"thoughtText": "Trams", "visibility": "public"}');

select tests.authenticate_as_guest();
select throws_ok('publish', '42501', null, 'a guest publishes nothing');
select tests.authenticate_as('one');
select throws_ok('publish', 'PT403', 'FORBIDDEN', 'nor does an anonymous user');
select tests.authenticate_as('two');
select throws_ok('publish', 'PT403', 'FORBIDDEN', 'nor a registered one');
select tests.authenticate_as('three');
select lives_ok('publish', 'a phone-confirmed one does');
deallocate publish;

rollback to empty;

-- create_post: needs membership for a hub
select tests.person('three', 3);
select tests.person('four', 4);
prepare to_hub as select api.create_post(jsonb_build_object('thoughtText', 'Trams', 'visibility', 'public_hub', 'hubIds', jsonb_build_array(tests.id('elm'))));
prepare to_locked_hub as select api.create_post(jsonb_build_object('thoughtText', 'Trams', 'visibility', 'private_locked_hub', 'hubIds', jsonb_build_array(tests.id('elm'))));

select tests.authenticate_as('three');
select is(
  tests.error_of('execute to_hub') -> 'details', '{"requiredLevel": 4, "level": 3, "nextStep": "contacts"}', 'a Hub target needs level 4'
);
select tests.authenticate_as('four');
select throws_ok('to_hub', 'PT403', 'FORBIDDEN', 'and membership');
select throws_ok('to_locked_hub', 'PT403', 'FORBIDDEN', 'in a locked Hub too');
select is_empty('select from app.posts', 'nothing is published');
deallocate to_hub;
deallocate to_locked_hub;

rollback to empty;

-- create_post: places it in hubs
select tests.elm();
select tests.hub('ash', 'jonas');
create function pg_temp.create(p_visibility text, variadic p_hubs text[])
returns jsonb
language sql
return api.create_post(jsonb_build_object('thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs))));

select tests.authenticate_as('jonas');
create temporary table answers as
select
  pg_temp.create('private_locked_hub', 'elm') as locked, pg_temp.create('private_locked_hub', 'elm', 'ash') as in_two, pg_temp.create('public_hub', 'elm') as public;
select is(locked -> 'hubs', jsonb_build_array(jsonb_build_object('id', tests.id('elm'), 'name', 'elm')), 'it is on the card') from answers;
select is(locked -> 'visibility', '"private_locked_hub"', 'a private post is private') from answers;
select is(
  jsonb_build_array(locked -> 'isShareable', in_two -> 'isShareable', public -> 'isShareable'), '[false, true, true]',
  'and shareable where it is in two; a public one always is'
)
from answers;
reset role;
select set_eq(
  'select post_id, hub_id from app.placements',
  $$
    select (locked ->> 'id')::uuid, tests.id('elm') from answers
    union all select (in_two ->> 'id')::uuid, unnest(tests.ids('elm', 'ash')) from answers
    union all select (public ->> 'id')::uuid, tests.id('elm') from answers
  $$,
  'each where it was meant to be'
);

rollback to empty;

-- create_post: publishes
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
  'all that was said is on the card'
)
from answers;
select is(post -> 'author' ->> 'username', 'maya', 'by the author') from answers;
select is(
  post -> 'permissions',
  '{"canVote": true, "canComment": true, "canRepost": true, "canShareToFeed": true, "canShareToHubs": false, "canDelete": true}',
  'who may do with it what the level allows'
)
from answers;

rollback to empty;

-- create_repost: is of what may be reposted
select tests.elm();
select tests.person('two', 2);
select tests.person('three', 3);
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.placed('for two', 'ash');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.args(p_post text, p_visibility text default 'public', variadic p_hubs text[] default '{}')
returns jsonb
language sql
return tests.arguments(p_post)
  || jsonb_build_object('thoughtText', 'Mine', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)));

create function pg_temp.refusal(p_caller text, p_args jsonb)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.create_repost(%L)', p_args));

select is(pg_temp.refusal(null, pg_temp.args('trams')), '42501', 'guests repost nothing');
select is(pg_temp.refusal('two', pg_temp.args('trams')), 'PT403 FORBIDDEN', 'nor who has no phone');
select is(pg_temp.refusal('three', pg_temp.args('trams')), null, 'a phone-confirmed person reposts');
select is(pg_temp.refusal('three', pg_temp.args('trams', 'public_hub', 'elm')), 'PT403 FORBIDDEN', 'not into Hubs');
select is(pg_temp.refusal('jonas', pg_temp.args('trams', 'public_hub', 'elm')), null, 'as members do');
select is(pg_temp.refusal('jonas', pg_temp.args('trams', 'public_hub', 'ash')), 'PT403 FORBIDDEN', 'of those Hubs');
select is(pg_temp.refusal('jonas', pg_temp.args('trams', 'public_hub')), 'PT422 VALIDATION_FAILED', 'a Hub repost without hubIds is refused');
select is(pg_temp.refusal('jonas', pg_temp.args('unknown')), 'PT404 POST_NOT_FOUND', 'what is not there is not reposted');
select is(pg_temp.refusal('jonas', pg_temp.args('hidden')), 'PT404 POST_NOT_FOUND', 'nor what is hidden');
select is(pg_temp.refusal('maya', pg_temp.args('again')), 'PT409 REPOST_NOT_ALLOWED', 'nor a repost');
select is(pg_temp.refusal('maya', pg_temp.args('locked')), 'PT409 REPOST_NOT_ALLOWED', 'nor what is for one Hub');
select is(pg_temp.refusal('jonas', pg_temp.args('locked')), 'PT409 REPOST_NOT_ALLOWED', 'by its author either');
select is(pg_temp.refusal('maya', pg_temp.args('for two')), null, 'what is for two is');
update app.users set contacts_synced_at = null where id = tests.id('maya');
select is(pg_temp.refusal('maya', pg_temp.args('for two')), 'PT403 FORBIDDEN', 'by the Hub-ready');
select is(pg_temp.refusal('maya', pg_temp.args('trams')), null, 'what is public by others too');
select tests.authenticate_as('amara');
create temporary table answers as
select api.create_repost(pg_temp.args('trams') || jsonb_build_object('sliderText', 'More?', 'article', jsonb_build_object('title', 'Mine'))) as answer;
select is(answer - 'permissions', (select card from app.post_cards(array[(answer ->> 'id')::uuid])), 'it answers the detail') from answers;
select results_eq(
  $$ select p.author_id, p.source_post_id, p.article_id, p.thought_text, p.slider_text from answers join app.posts as p on p.id = (answer ->> 'id')::uuid $$,
  $$ select tests.id('amara') as author, tests.id('trams') as source, null::uuid, 'Mine', 'More?' $$, 'of a frame of one''s own, without an article'
);
select is(answer -> 'permissions' -> 'canRepost', 'false', 'which is reposted no further') from answers;

rollback to empty;

-- record_placements: tells and shows
select tests.elm();
select tests.hub('ash', 'amara');
select tests.hub('oak', 'amara');
update app.hubs set last_activity_at = app.now() - interval '1 day';
select tests.post('trams', 'lena', 'private_locked_hub');
create temporary table told (place integer generated always as identity, hub_id uuid);
create function pg_temp.note() returns trigger language plpgsql security definer as 'begin insert into told (hub_id) values (new.hub_id); return null; end';
create trigger told after insert on app.events for each row execute function pg_temp.note();
insert into app.placements (post_id, hub_id, kind, placed_by, placed_at)
select tests.id('trams'), hub.id, hub.kind::app.placement_kind, tests.id('jonas'), app.now() - interval '1 hour'
from (values (tests.id('elm'), 'targeted'), (tests.id('ash'), 'shared')) as hub (id, kind)
order by hub.id desc;

select set_eq(
  'select post_id, hub_id, message_count, last_activity_at from app.discussions',
  $$ select tests.id('trams'), hub, 0, app.now() from unnest(tests.ids('elm', 'ash')) as hub $$, 'each has its discussion'
);
select set_eq('select id from app.hubs where last_activity_at = app.now()', tests.ids('elm', 'ash'), 'and moves its Hub up');
select set_eq(
  'select hub_id, actor_id, source_id, post_id, kind::text, occurred_at, lost_at from app.feed_events',
  $$
    select tests.id(hub) as hub_id, tests.id('jonas') as actor_id, tests.id(hub) as source_id, tests.id('trams') as post_id, kind, app.now() - interval '1 hour' as at, null::timestamptz as lost
    from (values ('elm', 'targeted'), ('ash', 'shared_to_hub')) as hub (hub, kind)
  $$,
  'it comes into the stream of the Hub alone, at its time'
);
select set_eq(
  'select tests.news()', array['hub_post_created by jonas in elm of trams', 'post_shared_to_hub by jonas in ash of trams'], 'its members are told, of what it is'
);
select is(
  array(select hub_id from told order by place), array(select hub from unnest(tests.ids('elm', 'ash')) as hub order by hub), 'one after the other in one order'
);
delete from app.events;
select tests.repost('again', 'jonas', 'trams', 'public_hub');
delete from app.events;
select tests.placed('again', 'elm');
select results_eq('select tests.news()', array['post_shared_to_hub by jonas in elm of again'], 'a repost is shared into it');
delete from app.events;
select tests.repost('for two', 'jonas', 'trams', 'private_locked_hub');
select is_empty('select from app.events', 'one that is private');
select tests.placed('for two', 'elm');
select set_eq(
  'select tests.news()', array['post_shared_to_hub by jonas in elm of for two', 'post_reposted by jonas in elm of for two'], 'is told of to the original''s author there as well'
);
delete from app.events;
select tests.placed('for two', 'ash', p_kind => 'shared', p_by => 'amara');
select results_eq('select tests.news()', array['post_shared_to_hub by amara in ash of for two'], 'and not where it is shared onward');

rollback to empty;

-- record_publications: tells and shows
select tests.elm();
select app.set_clock_offset('-1 day');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.post('locked', 'jonas', 'private_locked_hub');
select set_eq($$ select tests.acts('trams') $$, array['published by lena'], 'a post is in its author''s stream');
select is_empty($$ select tests.acts('locked') $$, 'if it is not private');
select set_eq('select tests.news()', array['followed_user_posted by lena of trams', 'followed_user_posted by lena of bikes'], 'followers are told of it, likewise');
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
  $$ select tests.acts('one') $$, array['published by jonas', 'published by jonas in elm'], 'a repost is in their stream, and in those of their Hubs'
);
select set_eq(
  $$ select tests.acts('trams') $$,
  array['reposted by jonas', 'reposted by jonas in elm', 'reposted by maya', 'reposted by maya in elm'], 'and so is its original again'
);
select is_empty($$ select tests.acts('locked') $$, 'if that is not private');
select is_empty('select from app.feed_events where occurred_at <> app.now()', 'at the time of the repost');
select results_eq(
  'select thought_text, repost_count from app.posts where repost_count > 0 order by thought_text',
  $$ values ('bikes', 1), ('locked', 1), ('trams', 2) $$, 'originals count their reposts'
);
select set_eq(
  'select post_id, score from app.trending_scores',
  $$
    values
      (tests.id('trams'), app.raised_score(null, 6)), (tests.id('bikes'), app.raised_score(null, 3)), (tests.id('locked'), app.raised_score(null, 3))
  $$,
  'each repost adds 3 to the trending score of its original, and publication adds none'
);
select set_eq(
  'select tests.news()',
  array[
    'post_reposted by jonas of one', 'followed_user_posted by jonas of one', 'post_reposted by maya of two', 'followed_user_posted by maya of two',
    'post_reposted by jonas of four', 'followed_user_posted by jonas of four'
  ],
  'their authors are told once, of those for everybody, and so are followers'
);

rollback to empty;

-- place_post: answers where it was not before
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.hub('oak', 'jonas');
select tests.post('trams', 'jonas', 'public_hub');
select tests.placed('trams', 'elm', app.now() - interval '1 day', p_by => 'maya');
select tests.authenticate_as('jonas');
create temporary table answers as select app.place_post(tests.id('trams'), tests.ids('elm', 'ash'), 'shared') as hubs;
select is(hubs, tests.ids('ash'), 'those that are new to it') from answers;
select is(app.place_post(tests.id('trams'), tests.ids('elm', 'ash'), 'shared'), null, 'which may be none');
reset role;
select set_eq(
  'select hub_id, kind::text, placed_by, placed_at from app.placements',
  $$
    values
      (tests.id('elm'), 'targeted', tests.id('maya'), app.now() - interval '1 day'), (tests.id('ash'), 'shared', tests.id('jonas'), app.now())
  $$,
  'where it was it stays as it was'
);
select set_eq('select hub_id from app.discussions', tests.ids('elm', 'ash'), 'with its discussion');
select is(count(*), 2::bigint, 'nobody is told again') from app.events where hub_id is not null;
select is(count(*), 2::bigint, 'nor does it come up in feeds') from app.feed_events where kind in ('targeted', 'shared_to_hub');

select bag_eq(
  'select hub_id, user_id from app.memberships where seen_at is not null',
  $$ values (tests.id('elm'), tests.id('jonas')), (tests.id('ash'), tests.id('jonas')) $$, 'and who places it has used the Hubs by that'
);

rollback to empty;

-- place_post: is into hubs of ones own
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('hers', 'lena');
select tests.post('his', 'jonas');
select tests.post('locked', 'maya', 'private_locked_hub');
update app.posts set is_shareable = false where id = tests.id('locked');

create function pg_temp.refusal(p_caller text, p_post text, p_hubs uuid[], p_kind text default 'targeted')
returns text
language sql
return tests.refusal_of(p_caller, format('select app.place_post(%L, %L, %L)', tests.id(p_post), p_hubs, p_kind));

select is(pg_temp.refusal('jonas', 'hers', tests.ids('elm')), '42501', 'no post of others is targeted');
select is(pg_temp.refusal('jonas', 'unknown', tests.ids('elm')), 'PT404 POST_NOT_FOUND', 'or none');
select is(pg_temp.refusal('jonas', 'locked', tests.ids('elm'), 'shared'), 'PT404 POST_NOT_FOUND', 'nor one that is hidden shared');
select is(pg_temp.refusal('maya', 'locked', tests.ids('elm'), 'shared'), '42501', 'or for one Hub alone');
select is(pg_temp.refusal('jonas', 'his', tests.ids('elm', 'ash')), 'PT403 FORBIDDEN', 'in no Hub of others');
select is(pg_temp.refusal('jonas', 'hers', tests.ids('elm', 'ash'), 'shared'), 'PT403 FORBIDDEN', 'either way');
select is(pg_temp.refusal('jonas', 'his', tests.ids('unknown')), 'PT403 FORBIDDEN', 'or none');
select is(pg_temp.refusal('jonas', 'his', array[null::uuid]), 'PT403 FORBIDDEN', 'however that is said');
select is_empty('select from app.placements', 'and nothing is placed');
select is(pg_temp.refusal('jonas', 'his', '{}'), null, 'in no Hub is in none');
select is_empty('select from app.placements', 'at all');
select is(pg_temp.refusal('jonas', 'hers', tests.ids('elm'), 'shared'), null, 'what others wrote is shared');
select is(pg_temp.refusal(null, 'his', '{}'), '42501', 'guests place nothing');

rollback to empty;

-- publish: makes a frame
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.hub('oak', 'lena');
select tests.post('trams', 'lena');
select tests.article('about trams', 'jonas');

create function pg_temp.publish(p_args jsonb, p_article uuid default null, p_source uuid default null, variadic p_hubs text[] default '{}')
returns jsonb
language sql
return app.publish(p_args || jsonb_build_object('hubIds', to_jsonb(tests.ids(variadic p_hubs))), p_article, p_source);

select tests.authenticate_as('jonas');
create temporary table answers as
select
  pg_temp.publish('{"thoughtText": "Mine", "sliderText": "More?", "visibility": "public"}', tests.id('about trams')) as original,
  pg_temp.publish('{"sliderText": "Less?", "slider": {"leftLabel": "No", "rightLabel": "Yes"}, "visibility": "private_locked_hub"}', null, tests.id('trams'), 'elm', 'ash') as repost,
  pg_temp.publish('{"thoughtText": "One", "visibility": "private_locked_hub"}', null, null, 'elm') as locked,
  app.publish('{"thoughtText": "None", "hubIds": null, "visibility": "public"}', null, null) as plain;
select is(original, app.post_detail((original ->> 'id')::uuid), 'and answers its detail') from answers;
select results_eq(
  $$ select p.author_id, p.article_id, p.source_post_id, p.thought_text, p.slider_text, p.left_label, p.right_label, p.visibility::text, p.is_shareable from answers join app.posts as p on p.id = (original ->> 'id')::uuid $$,
  $$ select tests.id('jonas') as author, tests.id('about trams') as article, null::uuid, 'Mine', 'More?', 'Disagree', 'Agree', 'public', true $$, 'of an article'
);
select results_eq(
  $$ select p.author_id, p.article_id, p.source_post_id, p.thought_text, p.slider_text, p.left_label, p.right_label, p.visibility::text, p.is_shareable from answers join app.posts as p on p.id = (repost ->> 'id')::uuid $$,
  $$ select tests.id('jonas') as author, null::uuid, tests.id('trams') as source, null, 'Less?', 'No', 'Yes', 'private_locked_hub', true $$, 'or of an original'
);
select results_eq(
  $$ select p.thought_text, p.slider_text, p.left_label, p.right_label, p.is_shareable from answers join app.posts as p on p.id = (locked ->> 'id')::uuid $$,
  $$ values ('One', null, null, null, false) $$, 'for one Hub alone'
);
select bag_eq(
  $$ select p.post_id, p.hub_id, p.kind::text from app.placements as p $$,
  $$
    select (repost ->> 'id')::uuid, unnest(tests.ids('elm', 'ash')), 'targeted' from answers
    union all select (locked ->> 'id')::uuid, tests.id('elm'), 'targeted' from answers
  $$,
  'or several, all as they were meant'
);
select is(plain ->> 'thoughtText', 'None', 'or none') from answers;
select is(locked, app.post_detail((locked ->> 'id')::uuid), 'the detail of any') from answers;
select throws_ok(
  $$ select pg_temp.publish('{"thoughtText": "One", "visibility": "public_hub"}', null, null, 'elm', 'oak') $$, 'PT403', 'FORBIDDEN', 'in those of others it publishes nothing'
);
reset role;
select set_eq($$ select tests.who_may('select app.publish(null, null, null)') $$, array['authenticated'], 'and for guests neither');

rollback to empty;

-- require_destination: lets pass by level
select tests.person('two', 2);
select tests.person('three', 3);
select tests.person('four', 4);

create function pg_temp.refusal(p_caller text, p_visibility text, p_hubs jsonb)
returns text
language sql
return tests.refusal_of(p_caller, format('select app.require_destination(%L)', jsonb_build_object('visibility', p_visibility, 'hubIds', p_hubs)));

select is(pg_temp.refusal('two', 'public', null), 'PT403 FORBIDDEN', 'in public from level 3 on');
select is(pg_temp.refusal('three', 'public', null), null, 'a phone-confirmed person publishes there');
select is(pg_temp.refusal('three', 'public', '[]'), null, 'in no Hub');
select is(pg_temp.refusal('three', 'public_hub', to_jsonb(tests.ids('a'))), 'PT403 FORBIDDEN', 'in Hubs nobody below level 4');
select is(pg_temp.refusal('four', 'public_hub', to_jsonb(tests.ids('a'))), null, 'does');
select is(pg_temp.refusal('four', 'private_locked_hub', to_jsonb(tests.ids('a', 'b'))), null, 'privately either');
select is(pg_temp.refusal('four', 'public', to_jsonb(tests.ids('a'))), 'PT422 VALIDATION_FAILED', 'a public post with hubIds is refused');
select is(pg_temp.refusal('four', 'private_locked_hub', '[]'), 'PT422 VALIDATION_FAILED', 'a private post with no hubIds is refused');
select is(pg_temp.refusal('four', 'public_hub', null), 'PT422 VALIDATION_FAILED', 'a Hub post without hubIds is refused');
select is(pg_temp.refusal(null, 'public', null), '42501', 'guests publish nothing');

select * from finish();
rollback;
