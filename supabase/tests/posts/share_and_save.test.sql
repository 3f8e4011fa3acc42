begin;
select plan(76);
savepoint empty;

-- list_saved_posts: is last saved first
select tests.elm();
select tests.person('anonymous', 1);
select tests.post('trams', 'lena');
select tests.post('bikes', 'amara');
select tests.discussion('locked', 'jonas', 'elm');
select tests.post('of another', 'lena');
insert into app.saved_posts (user_id, post_id, saved_at)
values
  (tests.id('maya'), tests.id('bikes'), app.now() - interval '2 hours'), (tests.id('maya'), tests.id('trams'), app.now() - interval '3 hours'),
  (tests.id('maya'), tests.id('locked'), app.now() - interval '1 hour'), (tests.id('jonas'), tests.id('of another'), app.now());

select is(tests.refusal_of(null, $$ select api.list_saved_posts('{}') $$), '42501', 'guests have no list');
select is(tests.refusal_of('anonymous', $$ select api.list_saved_posts('{}') $$), 'PT403 FORBIDDEN', 'nor have the anonymous');
select tests.authenticate_as('maya');
create temporary table answers as select api.list_saved_posts('{}') as page;
select is(tests.listed(page), tests.ids('locked', 'bikes', 'trams'), 'one''s own') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,1}', (select card from app.post_cards(tests.ids('bikes'))), 'each by its card') from answers;
select is(tests.listed_in_parts('list_saved_posts', '{}'), tests.listed(page), 'or one after the other') from answers;
select is(tests.refusal('list_saved_posts', '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(tests.refusal('list_saved_posts', '{"limit": 51}'), 'VALIDATION_FAILED', 'or has more than 50 on a page');
reset role;
select tests.block('amara', 'maya');
delete from app.memberships where user_id = tests.id('maya');
select tests.authenticate_as('maya');
select is(tests.listed(api.list_saved_posts('{"limit": 1}')), tests.ids('trams'), 'what is hidden by now is left out, and the page is full');
select tests.authenticate_as('jonas');
select is(tests.listed(api.list_saved_posts('{}')), tests.ids('of another'), 'to each their own');

rollback to empty;

-- list_saved_posts: pages through one moment
select tests.person('maya');
select tests.post(n::text, 'maya') from generate_series(1, 21) as n;
insert into app.saved_posts (user_id, post_id) select tests.id('maya'), p.id from app.posts as p;
select tests.without_indexes();
select tests.authenticate_as('maya');
select is(
  tests.listed(api.list_saved_posts('{"limit": 50}')), array(select p.id from app.posts as p order by p.id desc), 'in the order of their ids, backwards'
);
select is(cardinality(tests.listed(api.list_saved_posts('{}'))), 20, 'twenty on a page');
select is(
  tests.listed(api.list_saved_posts(jsonb_build_object('cursor', api.list_saved_posts('{}') -> 'nextCursor'))),
  array(select p.id from app.posts as p order by p.id limit 1), 'the next goes on'
);
select is(
  (tests.listed_in_parts('list_saved_posts', '{}'))[:15], array(select p.id from app.posts as p order by p.id desc limit 15), 'on pages as on one'
);

rollback to empty;

-- record_feed_share: tells and shows
select tests.elm();
select tests.post('trams', 'lena');
select tests.discussion('locked', 'amara', 'elm');
delete from app.feed_events;
delete from app.events;
insert into app.trending_scores (post_id, score, active_at) select p.id, app.now() - interval '1 day', app.now() - interval '1 day' from app.posts as p;
select tests.feed_share('jonas', name, app.now() - interval '1 hour') from unnest(array['trams', 'locked']) as name;
select set_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ select tests.id('trams') as post, 'shared_to_feed', tests.id('jonas') as actor, hub, app.now() - interval '1 hour' as at from unnest(array[null, tests.id('elm')]) as hub $$,
  'it is in the sharer''s stream and those of their Hubs, if it is not private'
);
select set_eq(
  'select tests.news()', array['post_shared_to_feed by jonas of trams', 'post_shared_to_feed by jonas of locked'], 'its author is told, of any'
);
select results_eq(
  'select distinct score, active_at from app.trending_scores',
  $$ values (app.raised_score(app.now() - interval '1 day', 2), app.now()) $$, 'a share to a feed adds 2 to the trending score'
);
update app.feed_shares set id = tests.id('again') where post_id = tests.id('trams');
select set_eq(
  'select hub_id, occurred_at from app.feed_events', $$ select hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$, 'again it is up at the later time'
);
select is(count(*), 3::bigint, 'and told of again') from app.events;
update app.feed_shares set user_id = user_id;
select is(count(*), 3::bigint, 'if it is shared again') from app.events;

rollback to empty;

-- on_placements_share_again: moves the post up
select tests.elm();
select tests.person('noor', 4);
insert into app.memberships (hub_id, user_id, role) values (tests.id('elm'), tests.id('noor'), 'member');
select tests.post('trams', 'lena');
select tests.placed('trams', 'elm', tests.ago(9), 'shared', 'jonas');
delete from app.events;
create function pg_temp.share(p_who text)
returns text
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_who);
  perform api.share_to_hubs(tests.arguments('trams') || jsonb_build_object('hubIds', jsonb_build_array(tests.id('elm'))));
  perform set_config('role', 'none', true);
  return (select concat_ws(' ', p.placed_at - app.now(), p.last_shared_at - app.now()) from app.placements as p);
end
$$;
create function pg_temp.shares()
returns setof text
language sql
as $$
  select concat_ws(' ', actor.username, e.occurred_at - now(), case when e.lost_at is not null then 'before' end)
  from app.feed_events as e
  join app.profiles as actor on actor.user_id = e.actor_id
  where e.kind = 'shared_to_hub'
$$;
select is(pg_temp.share('jonas'), '-00:09:00 -00:09:00', 'whoever shared it last changes nothing');
select is(pg_temp.share('noor'), '-00:09:00 00:00:00', 'another member moves it up; it is there since the first share');
select set_eq('select pg_temp.shares()', array['jonas -00:09:00', 'noor 00:00:00'], 'both shares are in the stream of the Hub');
select app.set_clock_offset('1 minute');
select is(pg_temp.share('jonas'), '-00:10:00 00:00:00', 'the first member may move it up again then');
select set_eq('select pg_temp.shares()', array['jonas 00:01:00', 'jonas -00:09:00 before', 'noor 00:00:00'], 'and walks under way know when they shared it before');
select is_empty('select from app.events', 'nobody is notified');
select app.set_clock_offset('2 minutes');
update app.feed_events set actor_id = null where kind = 'shared_to_hub';
select is(pg_temp.share('jonas'), '-00:11:00 00:00:00', 'where the last member''s account has gone anybody moves it up');
select set_eq(
  $$ select tests.who_may('update app.placements set last_shared_at = default') $$, array['authenticated'], 'members share again'
);
select tests.authenticate_as('amara');
update app.placements set last_shared_at = app.now() + interval '1 year';
reset role;
select is(last_shared_at, app.now(), 'a member cannot choose the time') from app.placements;

rollback to empty;

-- renew_feed_share: is of now
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select tests.feed_share('maya', 'trams', app.now() - interval '1 hour');
select tests.feed_share('maya', 'bikes', app.now() + interval '1 hour');
update app.feed_shares set user_id = user_id;
select is(shared_at, app.now() - interval '1 hour', 'as long as it is the same it is as old') from app.feed_shares where post_id = tests.id('trams');
update app.feed_shares set id = tests.id('other');
select is(shared_at, app.now(), 'another one is of now') from app.feed_shares where post_id = tests.id('trams');
select is(shared_at, app.now() + interval '1 hour', 'or later, where somebody was quicker') from app.feed_shares where post_id = tests.id('bikes');
select is(id, tests.id('other'), 'whatever it is called') from app.feed_shares where post_id = tests.id('bikes');

rollback to empty;

-- save_post: is done and undone
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.refusal(p_operation text, p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.%s(%L)', p_operation, tests.arguments(p_post)));

select is(pg_temp.refusal(operation, null, 'trams'), '42501', 'guests: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select is(pg_temp.refusal(operation, 'anonymous', 'trams'), 'PT403 FORBIDDEN', 'the anonymous: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select is(pg_temp.refusal(operation, 'maya', 'hidden'), 'PT404 POST_NOT_FOUND', 'what is hidden: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select is(pg_temp.refusal(operation, 'maya', 'unknown'), 'PT404 POST_NOT_FOUND', 'what never was: ' || operation) from unnest(array['save_post', 'unsave_post']) as operation;
select tests.authenticate_as('maya');
select is(api.save_post(tests.arguments('trams')), '{"saved": true}', 'somebody else saves it');
select tests.authenticate_as('two');
select is(api.save_post(tests.arguments('trams')), '{"saved": true}', 'once');
reset role;
select app.set_clock_offset('1 minute');
select tests.authenticate_as('two');
select is(api.save_post(tests.arguments('trams')), '{"saved": true}', 'is as twice');
select is(saved_at, app.now() - interval '1 minute', 'it is saved since then') from app.saved_posts;
select is(api.save_post(tests.arguments('bikes')), '{"saved": true}', 'and another');
select is(api.unsave_post(tests.arguments('trams')), '{"saved": false}', 'then forgotten');
select is(api.unsave_post(tests.arguments('trams')), '{"saved": false}', 'once is as twice');
select results_eq('select post_id from app.saved_posts', tests.ids('bikes'), 'that alone');
reset role;
select set_eq('select user_id from app.saved_posts', tests.ids('two', 'maya'), 'by whoever does alone');

rollback to empty;

-- share_to_feed: may be repeated
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.share_to_feed(%L)', tests.arguments(p_post)));

select is(pg_temp.refusal(null, 'trams'), '42501', 'guests share nothing');
select is(pg_temp.refusal('anonymous', 'trams'), 'PT403 FORBIDDEN', 'nor do the anonymous');
select is(pg_temp.refusal('maya', 'hidden'), 'PT404 POST_NOT_FOUND', 'what is hidden is not found');
select is(pg_temp.refusal('maya', 'unknown'), 'PT404 POST_NOT_FOUND', 'as what never was');
select tests.authenticate_as('two');
create temporary table answers as select api.share_to_feed(tests.arguments('trams')) as first;
select is(
  first - 'shareId', jsonb_build_object('postId', tests.id('trams'), 'sharedAt', app.iso(app.now())), 'a registered person shares'
)
from answers;
reset role;
select app.set_clock_offset('1 minute');
select tests.authenticate_as('two');
create temporary table later as select api.share_to_feed(tests.arguments('trams')) as second;
select is(second ->> 'sharedAt', app.iso(app.now()), 'and again, later') from later;
select isnt(second -> 'shareId', first -> 'shareId', 'which is another share') from answers, later;
select results_eq(
  'select s.id, s.user_id, s.post_id, s.shared_at from app.feed_shares as s',
  $$ select (second ->> 'shareId')::uuid, tests.id('two'), tests.id('trams'), app.now() from later $$, 'the last one counts'
);
select tests.authenticate_as('lena');
select is(api.share_to_feed(tests.arguments('trams')) -> 'postId', to_jsonb(tests.id('trams')), 'one''s own is shared as well');

rollback to empty;

-- share_to_hubs: is for members
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where thought_text in ('locked', 'hidden');

create function pg_temp.args(p_post text, variadic p_hubs text[])
returns jsonb
language sql
return tests.arguments(p_post) || jsonb_build_object('hubIds', to_jsonb(tests.ids(variadic p_hubs)));

select is(
  tests.refusals('share_to_hubs', pg_temp.args('trams', 'elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'members share into a Hub'
);
select is(tests.refusals('share_to_hubs', pg_temp.args('trams', 'elm', 'ash')), tests.everybody('FORBIDDEN'), 'into each that is named');
select is(tests.refusals('share_to_hubs', pg_temp.args('trams', 'unknown')), tests.everybody('FORBIDDEN'), 'of none there are no members');
select is(
  tests.refusals('share_to_hubs', pg_temp.args('unknown', 'elm')), tests.everybody('POST_NOT_FOUND'), 'no post is not there'
);
select is(
  tests.refusals('share_to_hubs', pg_temp.args('hidden', 'elm')), tests.everybody('POST_NOT_FOUND') || '{"lena": "POST_NOT_SHAREABLE"}', 'nor is one that is hidden'
);
select is(
  tests.refusals('share_to_hubs', pg_temp.args('locked', 'elm')), tests.everybody('POST_NOT_SHAREABLE') || '{"lena": "POST_NOT_FOUND"}', 'one for a single Hub is for no other'
);
select is(
  tests.refusals('share_to_hubs', pg_temp.args('locked', 'unknown')), tests.everybody('POST_NOT_SHAREABLE') || '{"lena": "POST_NOT_FOUND"}', 'whichever'
);
select results_eq('select post_id from app.placements', tests.ids('locked'), 'and nothing is shared');
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.placed('trams', 'fir', app.now() - interval '1 day', p_by => 'lena');
select tests.authenticate_as('jonas');
create temporary table answers as select api.share_to_hubs(pg_temp.args('trams', 'oak', 'fir', 'elm')) as answer;
select is(
  answer,
  jsonb_build_object('postId', tests.id('trams'), 'hubs', jsonb_build_array(
    jsonb_build_object('hubId', tests.id('oak'), 'sharedAt', app.iso(app.now()), 'created', true),
    jsonb_build_object('hubId', tests.id('fir'), 'sharedAt', app.iso(app.now() - interval '1 day'), 'created', false),
    jsonb_build_object('hubId', tests.id('elm'), 'sharedAt', app.iso(app.now()), 'created', true)
  )),
  'it says in their order since when it is there'
)
from answers;
select is(
  (select jsonb_agg(hub -> 'created') from jsonb_array_elements(api.share_to_hubs(pg_temp.args('trams', 'oak', 'fir')) -> 'hubs') as hub), '[false, false]', 'as it does again'
);
select bag_eq(
  $$ select hub_id from app.placements where post_id = tests.id('trams') and kind = 'shared' $$, tests.ids('oak', 'elm'), 'where it is shared'
);

rollback to empty;

-- share_to_hubs: promotes pending votes
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.post('no slider', 'lena');
select tests.vote('jonas', 'trams', 'right', p_key => tests.key('old'));
select tests.vote('maya', 'trams', 'left');
select tests.fold(tests.key(), tests.key('old'));
create function pg_temp.share(p_post text, p_hub text, p_keys jsonb default jsonb_build_array(tests.key('new'), tests.key(), tests.key('old')))
returns jsonb
language sql
return api.share_to_hubs(tests.arguments(p_post) || jsonb_build_object('hubIds', jsonb_build_array(tests.id(p_hub)), 'pendingVoteKeys', p_keys));

select tests.authenticate_as('jonas');
select pg_temp.share('trams', 'elm');
select is(tests.counts('trams', 'elm'), '(0,1,0,1,0)', 'who shares a post into a Hub sees at once what was pending there');
select pg_temp.share('trams', 'elm');
select is(tests.counts('trams', 'elm'), '(0,1,0,1,0)', 'sharing it again changes nothing');
select lives_ok($$ select pg_temp.share('no slider', 'elm') $$, 'without a slider there is nothing to promote');
select pg_temp.share('trams', 'oak', '[]');
select is(tests.counts('trams', 'oak'), null, 'without the service''s keys it is shared');
reset role;
select tests.fold();
select is(tests.counts('trams', 'oak'), '(0,0,0,1,0)', 'and promoted by the next fold');
select is_empty('select from app.pending_totals', 'so that nothing is left');

select * from finish();
rollback;
