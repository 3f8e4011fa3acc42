begin;
select plan(87);
savepoint empty;

-- cast_vote: needs a serializable transaction
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.authenticate_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$,
  'PT403', 'FORBIDDEN', 'a vote outside a serializable transaction is refused'
);
select is_empty('select from app.vote_receipts', 'nothing is counted');

rollback to empty;

-- cast_vote_answer: is the summary of now
select tests.elm();
select tests.slider('trams', 'maya');
select tests.placed('trams', 'elm');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('maya', 'locked', 'right');
select tests.vote('jonas', 'trams', 'neutral');
select tests.vote('lena', 'trams', 'left');
select tests.authenticate_as('lena');
select is(
  api.cast_vote_answer(tests.arguments('trams') || '{"position": "left"}'),
  tests.arguments('trams')
    || '{"summary": {"totalVotes": 2, "resultsVisible": true, "leftCount": 1, "neutralCount": 1, "rightCount": 0}}',
  'with the caller''s vote in it, and without the position'
);
select is(
  api.cast_vote_answer(tests.arguments('locked')) #> '{summary,totalVotes}', '0', 'and nothing of a post that is hidden from them'
);
select tests.authenticate_as('jonas');
select is(
  api.cast_vote_answer(tests.arguments('trams') || tests.in_hub('elm')) -> 'summary',
  '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 1, "rightCount": 0}', 'in the Hub that was asked for'
);
select is(
  api.cast_vote_answer(tests.arguments('locked')) -> 'summary',
  '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 0, "rightCount": 1}', 'on a private post in the first of theirs'
);

rollback to empty;

-- count_in_slots: counts in each scope
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');

select app.count_in_slots(tests.id('trams'), array[tests.id('elm'), null], position)
from unnest(array['strong_left', 'strong_left', 'left', 'left', 'neutral', 'neutral', 'neutral', 'right', 'right', 'right', 'right']) as name
cross join lateral (select name::app.vote_position as position) as cast_as;
select app.count_in_slots(tests.id('trams'), array[tests.id('elm')], 'strong_right') from generate_series(1, 5);
select bag_eq('select tests.pools()', array['trams (2,2,3,4,0)', 'trams in elm (2,2,3,4,5)'], 'each position in each scope');
select bag_eq(
  'select hub_id, slot from app.vote_slots', $$ values (tests.id('elm'), pg_backend_pid()), (null, pg_backend_pid()) $$, 'all of it in one row a scope'
);
select app.count_in_slots(tests.id('bikes'), '{}', 'left');
select is_empty($$ select from app.vote_slots where post_id = tests.id('bikes') $$, 'in no scope none');
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left');
select app.set_clock_offset('30 seconds');
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left') from generate_series(1, 2);
select set_eq(
  $$ select generation, left_count from app.vote_slots where post_id = tests.id('bikes') $$,
  $$ values (app.slot_generation(), 2::bigint), ((1 - app.slot_generation())::smallint, 1) $$, 'half a minute later in the other generation'
);
insert into app.vote_slots (post_id, hub_id, slot, left_count) values (tests.id('trams'), null, 0, 7);
select app.count_in_slots(tests.id('trams'), array[null::uuid], 'left');
select results_eq($$ select left_count from app.vote_slots where slot = 0 $$, array[7::bigint], 'another backend''s slot is left to it');
select is_empty($$ select tests.who_may('select app.count_in_slots(null, null, null)') $$, 'no role counts without a vote');

rollback to empty;

-- count_vote: counts a person once
select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.vote('maya', 'trams', 'left');
select is(
  tests.error_of($$ select tests.vote('maya', 'trams', 'right') $$),
  '{"state": "PT409", "code": "VOTE_ALREADY_CAST", "details": null}', 'a second vote is refused without a detail'
);
select is(tests.counts('trams'), '(0,1,0,0,0)', 'and is not counted');
select lives_ok($$ select tests.vote('maya', 'bikes', 'right') $$, 'another post is another vote');

rollback to empty;

-- count_vote: counts in its backends slot
select tests.person('maya');
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'left');
select results_eq('select slot, left_count from app.vote_slots', $$ values (pg_backend_pid(), 2::bigint) $$, 'votes of one backend share a row');
select is_empty('select from app.vote_pools', 'of the pool itself none holds any');

rollback to empty;

-- count_vote: counts in the voters hubs
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.placed('trams', hub) from unnest(array['elm', 'oak', 'ash']) as hub;
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', hub) from unnest(array['elm', 'ash']) as hub;
select tests.vote('jonas', 'trams', 'right');
select bag_eq(
  'select tests.pools()', array['trams (0,0,0,1,0)', 'trams in elm (0,0,0,1,0)', 'trams in oak (0,0,0,1,0)'],
  'for everybody, and in each Hub where the post and the voter are'
);
select tests.vote('lena', 'trams', 'left');
select tests.vote('maya', 'trams', 'right');
select bag_eq(
  'select tests.pools()', array['trams (0,1,0,2,0)', 'trams in elm (0,0,0,2,0)', 'trams in oak (0,0,0,1,0)'], 'each scope by itself'
);
select tests.membership('elm', 'lena');
select tests.placed('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
delete from app.pending_ballots;
select tests.fold();
select bag_eq(
  'select tests.pools()', array['trams (0,1,0,2,0)', 'trams in elm (0,0,0,2,0)', 'trams in oak (0,0,0,1,0)'], 'later joins and shares change nothing'
);
select tests.vote('amara', 'locked', 'neutral');
select tests.vote('jonas', 'locked', 'left');
select bag_eq(
  $$ select pool from tests.pools() as pool where pool like 'locked%' $$, array['locked in elm (0,1,1,0,0)', 'locked in ash (0,0,1,0,0)'],
  'a private post counts in its Hubs alone'
);

rollback to empty;

-- count_vote: counts one position
select tests.person(position::text, 2) from unnest(enum_range(null::app.vote_position)) as position;
select tests.slider('trams', 'left');

create function pg_temp.totals()
returns text
language sql
return tests.counts('trams');

select tests.vote('strong_left', 'trams', 'strong_left');
select is(pg_temp.totals(), '(1,0,0,0,0)', 'strong left');
select tests.vote('left', 'trams', 'left');
select is(pg_temp.totals(), '(1,1,0,0,0)', 'left');
select tests.vote('neutral', 'trams', 'neutral');
select is(pg_temp.totals(), '(1,1,1,0,0)', 'neutral');
select tests.vote('right', 'trams', 'right');
select is(pg_temp.totals(), '(1,1,1,1,0)', 'right');
select tests.vote('strong_right', 'trams', 'strong_right');
select is(pg_temp.totals(), '(1,1,1,1,1)', 'strong right');

rollback to empty;

-- count_vote: is an act for later
select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', 'elm');
delete from app.feed_events;
delete from app.events;
select tests.vote('jonas', name, 'left', '10 minutes') from unnest(array['trams', 'locked']) as name;
select results_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ values (tests.id('trams'), 'voted', tests.id('jonas'), null::uuid, app.now() + interval '10 minutes') $$,
  'in the voter''s own stream, if the post is not private'
);
select tests.vote('jonas', 'bikes', 'left');
select set_eq(
  $$ select kind::text, actor_id, hub_id, occurred_at from app.feed_events where post_id = tests.id('bikes') $$,
  $$ select 'voted', tests.id('jonas'), hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$,
  'without a delay at once, and in those of their Hubs'
);
select tests.vote('maya', 'locked', 'left');
select is_empty($$ select from app.feed_events where post_id = tests.id('locked') $$, 'on a private post in none');
select bag_eq(
  'select post_id, user_id, cast_at from app.fresh_votes',
  $$
    values
      (tests.id('trams'), tests.id('jonas'), app.now()), (tests.id('bikes'), tests.id('jonas'), app.now()),
      (tests.id('locked'), tests.id('jonas'), app.now()), (tests.id('locked'), tests.id('maya'), app.now())
  $$,
  'the rest is for the fold'
);
select is_empty('select from app.trending_scores', 'a vote adds nothing to trending scores before the fold');
select is_empty('select from app.posts where vote_count > 0', 'or counted to the post');
select is_empty('select from app.events union all select from app.milestones', 'and nobody is told');
select is(
  (select count(*) from information_schema.columns where table_schema = 'app' and table_name = 'feed_events' and data_type = 'USER-DEFINED'), 1::bigint, 'an act knows no position'
);

rollback to empty;

-- count_vote: is for nobody unnamed
select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.authenticate_as_guest();
select throws_ok($$ select app.count_vote(tests.id('trams'), 'left', '0', true, tests.key()) $$, '42501', null, 'a guest does not vote');
set local role authenticated;
select throws_ok($$ select app.count_vote(tests.id('trams'), 'left', '0', true, tests.key()) $$, '23502', null, 'nor does anybody without a name');

rollback to empty;

-- count_vote: is for the hub ready
select tests.elm();
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.slider('trams', 'amara');
select tests.placed('trams', 'elm');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select throws_ok($$ select tests.vote('jonas', 'locked', 'left') $$, 'PT403', 'VOTE_NOT_ALLOWED', 'on private posts only the Hub-ready vote');
select tests.vote('jonas', 'trams', 'left');
select results_eq('select tests.pools()', array['trams (0,1,0,0,0)'], 'and only theirs count in Hubs');

rollback to empty;

-- count_vote: is not for other hubs private posts
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', 'elm');
select throws_ok($$ select tests.vote('lena', 'locked', 'left') $$, 'PT403', 'VOTE_NOT_ALLOWED', 'who is in none of its Hubs does not vote');
select is_empty(
  'select from app.vote_receipts union all select from app.fresh_votes union all select from app.vote_slots union all select from app.pending_ballots', 'nothing is kept of it'
);
select lives_ok($$ select tests.vote('jonas', 'locked', 'left') $$, 'who is in one does');

rollback to empty;

-- count_vote: keeps a ballot for other hubs
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.hub('ash', 'lena');
select tests.person('nina', 2);
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats', 'cars', 'trains']) as name;
select tests.placed('trams', 'elm');

select tests.vote('jonas', 'trams', 'right');
select results_eq('select tests.ballots()', array['trams (0,0,0,1,0) for fir, oak'], 'for those of the voter''s Hubs where the post is not');
select is_empty($$ select from app.pending_ballots where sealed::text ~ encode(convert_to('right', 'UTF8'), 'hex') $$, 'sealed');
delete from app.pending_ballots;
select tests.vote('jonas', 'bikes', 'left');
select results_eq('select tests.ballots()', array['bikes (0,1,0,0,0) for elm, fir, oak'], 'all of them where it is in none');
delete from app.pending_ballots;
select tests.vote('amara', 'trams', 'left');
select is_empty('select from app.pending_ballots', 'none where it is in each');
select tests.vote('nina', 'boats', 'left');
select is_empty('select from app.pending_ballots', 'none of who is in no Hub');
update app.posts set is_shareable = false where id = tests.id('cars');
select tests.vote('jonas', 'cars', 'left');
select is_empty('select from app.pending_ballots', 'none of a post that nobody may share');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('jonas', 'locked', 'neutral');
select results_eq('select tests.ballots()', array['locked (0,0,1,0,0) for fir, oak'], 'of a private one that may be as well');

rollback to empty;

-- count_vote: keeps a receipt of the caller
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.slider('trams', 'maya');
select tests.placed('trams', 'elm');
select tests.placed('trams', 'oak');
select tests.slider('bikes', 'maya');
select tests.vote('jonas', 'trams', 'left');
select tests.vote('lena', 'bikes', 'left');
select bag_eq(
  'select post_id, user_id, voted_at, baseline, array(select id from unnest(hub_ids) as id order by id) from app.vote_receipts',
  $$
    values
      (tests.id('trams'), tests.id('jonas'), date_trunc('minute', app.now()), null::integer, array(select id from unnest(tests.ids('elm', 'oak')) as id order by id)),
      (tests.id('bikes'), tests.id('lena'), date_trunc('minute', app.now()), null, '{}')
  $$,
  'that they voted, to the minute, and in which Hubs that counted; not what'
);
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select tests.fold();
select is(cardinality(hub_ids), 2, 'for good') from app.vote_receipts where user_id = tests.id('jonas');

rollback to empty;

-- displayed_hub: is the first of the viewers
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir']) as name;
select tests.hub('ash', 'amara');
select tests.slider(name, 'lena', 'private_locked_hub') from unnest(array['locked', 'at once', 'elsewhere']) as name;
select tests.slider('public', 'lena');
select tests.slider('in hub', 'lena', 'public_hub');
select tests.placed('locked', 'ash', app.now() - interval '3 hours'), tests.placed('locked', 'fir', app.now() - interval '2 hours');
select tests.placed('locked', 'elm', app.now() - interval '1 hour'), tests.placed('locked', 'oak');
select tests.placed('at once', hub) from unnest(array['elm', 'oak', 'fir']) as hub;
select tests.placed('elsewhere', 'oak', app.now() - interval '1 day'), tests.placed('elsewhere', 'elm');
select tests.placed(post, 'elm') from unnest(array['public', 'in hub']) as post;

create function pg_temp.displayed(p_post text, p_hub text default null)
returns text
language sql
as $$
  select (select h.name from app.hubs as h where h.id = app.displayed_hub(p, tests.id(p_hub))) from app.posts as p where p.id = tests.id(p_post)
$$;

select tests.authenticate_as('jonas');
select is(pg_temp.displayed('locked'), 'fir', 'of a private post that where it was first, of the viewer''s Hubs');
select tests.without_indexes();
select is(
  app.displayed_hub(p, null), (select id from unnest(tests.ids('elm', 'oak', 'fir')) as id order by id limit 1), 'or the first by its id'
) from app.posts as p where p.id = tests.id('at once');
select is(pg_temp.displayed('elsewhere'), 'oak', 'each post by itself');
select is(pg_temp.displayed('locked', 'oak'), 'oak', 'or that which they ask for');
select is(pg_temp.displayed('public'), null, 'of a public one none');
select is(pg_temp.displayed('in hub'), null, 'though it is in a Hub');
select is(pg_temp.displayed('in hub', 'elm'), 'elm', 'unless they ask for it');
select tests.authenticate_as('maya');
select is(pg_temp.displayed('locked'), 'elm', 'to each member of theirs');
select tests.authenticate_as('lena');
select is(pg_temp.displayed('locked'), null, 'to an author who is in none of them none');
select tests.authenticate_as_guest();
select is(pg_temp.displayed('public'), null, 'and none to guests');
reset role;
select is(pg_temp.displayed('locked'), null, 'not even where placements are read past their policies');

rollback to empty;

-- store_ballot: does not tell by its length
select tests.elm();
select tests.slider('trams', 'maya');
select app.store_ballot(tests.id('trams'), position, tests.ids('elm'), tests.key()) from unnest(enum_range(null::app.vote_position)) as position;
select is(count(distinct octet_length(sealed)), 1::bigint, 'whichever position is sealed, it is as long') from app.pending_ballots;

rollback to empty;

-- store_ballot: keeps a vote sealed
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
-- Where hours of the wall clock begin at half past.
set local timezone = 'Asia/Kolkata';
select app.store_ballot(tests.id('trams'), 'strong_right', tests.ids('elm', 'oak'), tests.key());
select results_eq(
  'select post_id, cast_hour, key_id from app.pending_ballots',
  $$ values (tests.id('trams'), date_trunc('hour', app.now(), 'UTC'), app.key_id(tests.key())) $$, 'one row, of its hour, known by its key'
);
select results_eq('select tests.ballots()', array['trams (0,0,0,0,1) for elm, oak'], 'that says what, and for which Hubs');
select results_eq($$ select tests.ballots(tests.key('another')) $$, array['trams for whom it does not say'], 'to who has the key');
select is_empty(
  $$ select column_name from information_schema.columns where table_schema = 'app' and table_name = 'pending_ballots' and column_name ~ 'user' $$, 'and to nobody who'
);
select is_empty($$ select tests.who_may('select app.store_ballot(null, null, null, null)') $$, 'no role keeps one without a vote');

rollback to empty;

-- one_vote: is one of five
select results_eq(
  'select app.one_vote(position)::text from unnest(enum_range(null::app.vote_position)) with ordinality as listed (position, place) order by place',
  array['(1,0,0,0,0)', '(0,1,0,0,0)', '(0,0,1,0,0)', '(0,0,0,1,0)', '(0,0,0,0,1)'], 'a vote counts at its position'
);
select is_empty($$ select tests.who_may('select app.one_vote(null)') $$, 'which no role asks about');

rollback to empty;

-- require_scope: is asked where a hub may be
select tests.elm();
select tests.slider('trams', 'lena');
select tests.placed('trams', 'elm');
create function pg_temp.refusals(p_operation text)
returns jsonb
language sql
return jsonb_build_array(
  tests.refusal_of('jonas', format('select api.%I(%L)', p_operation, tests.arguments('trams') || tests.in_hub('elm'))),
  tests.refusal_of('lena', format('select api.%I(%L)', p_operation, tests.arguments('trams') || tests.in_hub('elm'))),
  tests.refusal_of(null, format('select api.%I(%L)', p_operation, tests.arguments('trams') || tests.in_hub('elm'))),
  tests.refusal_of('lena', format('select api.%I(%L)', p_operation, tests.arguments('unknown') || tests.in_hub('elm')))
);

select is(pg_temp.refusals(operation), '[null, "PT403 FORBIDDEN", "PT403 FORBIDDEN", "PT404 POST_NOT_FOUND"]', operation)
from unnest(array['get_vote_summary', 'get_vote_distribution', 'get_post', 'list_frames']) as operation;
select is(
  tests.refusal_of('lena', format('select api.get_home_feed(%L)', tests.in_hub('elm'))), 'PT403 FORBIDDEN', 'get_home_feed'
);

rollback to empty;

-- require_scope: is for members
select tests.elm();
create function pg_temp.refusal(p_caller text, p_hub text)
returns text
language sql
return tests.refusal_of(p_caller, format('select app.require_scope(%L)', tests.id(p_hub)));

select is(pg_temp.refusal('jonas', 'elm'), null, 'a member sees the votes of their Hub');
select is(pg_temp.refusal('lena', 'elm'), 'PT403 FORBIDDEN', 'an outsider does not');
select is(pg_temp.refusal('lena', 'unknown'), 'PT403 FORBIDDEN', 'nor learns whether there is one');
select is(pg_temp.refusal(null, 'elm'), 'PT403 FORBIDDEN', 'a guest does not');
select is(pg_temp.refusal(null, null), null, 'those of no Hub in particular everybody sees');
select is(pg_temp.refusal('lena', null), null, 'in a Hub or not');

rollback to empty;

-- require_scope: is for the hub ready
select tests.elm();
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.authenticate_as('jonas');
select throws_ok($$ select app.require_scope(tests.id('elm')) $$, 'PT403', 'FORBIDDEN', 'a member who is not Hub-ready sees no votes of a Hub');

rollback to empty;

-- require_slider: answers the post
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.slider('public', 'jonas');
select tests.post('no slider', 'jonas');

select tests.authenticate_as('maya');
select is((app.require_slider(tests.id('locked'))).id, tests.id('locked'), 'a private post');
select is((app.require_slider(tests.id('public'))).visibility, 'public', 'or a public one');
select throws_ok($$ select app.require_slider(tests.id('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE', 'that has a slider');
select tests.authenticate_as('lena');
select throws_ok($$ select app.require_slider(tests.id('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'and that one sees');

rollback to empty;

-- vote_scope: names a hub
select is(app.vote_scope(tests.id('elm')), jsonb_build_object('type', 'hub', 'hubId', tests.id('elm')), 'that of a Hub');
select is(app.vote_scope(null), '{"type": "global", "hubId": null}', 'or everybody''s');

select * from finish();
rollback;
