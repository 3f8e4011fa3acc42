begin;
select plan(81);
savepoint empty;

-- cast_vote requires a serializable transaction.
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.authenticate_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.post_args('trams') || '{"position": "left"}') $$,
  'PT403', 'FORBIDDEN', 'cast_vote is forbidden outside a serializable transaction'
);
select is_empty('select from app.vote_receipts', 'a forbidden cast_vote writes no receipt');

rollback to empty;

-- cast_vote_answer returns the current summary of the displayed scope.
select tests.elm();
select tests.slider('trams', 'maya');
select tests.placement('trams', 'elm');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.vote('maya', 'locked', 'right');
select tests.vote('jonas', 'trams', 'neutral');
select tests.vote('lena', 'trams', 'left');
select tests.authenticate_as('lena');
select is(
  api.cast_vote_answer(tests.post_args('trams') || '{"position": "left"}'),
  tests.post_args('trams')
    || '{"summary": {"totalVotes": 2, "resultsVisible": true, "leftCount": 1, "neutralCount": 1, "rightCount": 0}}',
  'cast_vote_answer counts the caller''s vote and omits the position'
);
select is(
  api.cast_vote_answer(tests.post_args('locked')) #> '{summary,totalVotes}', '0',
  'cast_vote_answer counts no votes on a post hidden from the caller'
);
select tests.authenticate_as('jonas');
select is(
  api.cast_vote_answer(tests.post_args('trams') || tests.hub_args('elm')) -> 'summary',
  '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 1, "rightCount": 0}',
  'cast_vote_answer with hubId returns the summary of the Hub'
);
select is(
  api.cast_vote_answer(tests.post_args('locked')) -> 'summary',
  '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 0, "rightCount": 1}',
  'cast_vote_answer on a private post returns the summary of the caller''s first Hub'
);

rollback to empty;

-- count_in_slots counts a vote in each scope, in the slot of its backend.
select tests.elm();
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');

select app.count_in_slots(tests.id('trams'), array[tests.id('elm'), null], position::app.vote_position)
from unnest(array[
  'strong_left', 'strong_left', 'left', 'left', 'neutral', 'neutral', 'neutral', 'right', 'right', 'right', 'right'
]) as position;
select app.count_in_slots(tests.id('trams'), array[tests.id('elm')], 'strong_right') from generate_series(1, 5);
select bag_eq(
  'select tests.all_vote_counts()', array['trams (2,2,3,4,0)', 'trams in elm (2,2,3,4,5)'],
  'count_in_slots adds each position to its counter in each scope'
);
select bag_eq(
  'select hub_id, slot from app.vote_slots', $$ values (tests.id('elm'), pg_backend_pid()), (null, pg_backend_pid()) $$,
  'count_in_slots writes one row per scope, in the slot of its backend'
);
select app.count_in_slots(tests.id('bikes'), '{}', 'left');
select is_empty(
  $$ select from app.vote_slots where post_id = tests.id('bikes') $$, 'count_in_slots without a scope writes no slot'
);
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left');
select app.set_clock_offset('30 seconds');
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left') from generate_series(1, 2);
select set_eq(
  $$ select generation, left_count from app.vote_slots where post_id = tests.id('bikes') $$,
  $$ values (app.slot_generation(), 2::bigint), ((1 - app.slot_generation())::smallint, 1) $$,
  'count_in_slots writes to the other generation half a minute later'
);
insert into app.vote_slots (post_id, hub_id, slot, left_count) values (tests.id('trams'), null, 0, 7);
select app.count_in_slots(tests.id('trams'), array[null::uuid], 'left');
select results_eq(
  $$ select left_count from app.vote_slots where slot = 0 $$, array[7::bigint],
  'count_in_slots leaves the slot of another backend unchanged'
);

rollback to empty;

-- count_vote accepts one vote of a user on a post.
select tests.person('maya');
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.vote('maya', 'trams', 'left');
select is(
  tests.error_of($$ select tests.vote('maya', 'trams', 'right') $$),
  '{"state": "PT409", "code": "VOTE_ALREADY_CAST", "details": null}', 'a second vote on a post is refused without details'
);
select is(tests.vote_counts('trams'), '(0,1,0,0,0)', 'a refused second vote is not counted');
select lives_ok($$ select tests.vote('maya', 'bikes', 'right') $$, 'a user can vote on a second post');
select tests.vote('jonas', 'trams', 'left');
select results_eq(
  $$ select slot, left_count from app.vote_slots where post_id = tests.id('trams') $$, $$ values (pg_backend_pid(), 2::bigint) $$,
  'two votes of one backend share a slot'
);
select is_empty('select from app.vote_pools', 'count_vote writes nothing to app.vote_pools');
select tests.authenticate_as_guest();
set local role authenticated;
select throws_ok(
  $$ select app.count_vote(p, 'left', '0', true, tests.vote_key()) from app.posts as p where p.id = tests.id('trams') $$,
  '23502', null, 'count_vote fails for a caller without a user id'
);

rollback to empty;

-- count_vote counts a vote globally and in the voter's Hubs that have the post.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.placement('trams', hub) from unnest(array['elm', 'oak', 'ash']) as hub;
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placement('locked', hub) from unnest(array['elm', 'ash']) as hub;
select tests.vote('jonas', 'trams', 'right');
select bag_eq(
  'select tests.all_vote_counts()', array['trams (0,0,0,1,0)', 'trams in elm (0,0,0,1,0)', 'trams in oak (0,0,0,1,0)'],
  'a vote counts globally and in each Hub that has both post and voter'
);
select tests.vote('lena', 'trams', 'left');
select tests.vote('maya', 'trams', 'right');
select bag_eq(
  'select tests.all_vote_counts()', array['trams (0,1,0,2,0)', 'trams in elm (0,0,0,2,0)', 'trams in oak (0,0,0,1,0)'],
  'each scope counts only the votes of its own members'
);
select tests.membership('elm', 'lena');
select tests.placement('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
delete from app.pending_ballots;
select tests.fold();
select bag_eq(
  'select tests.all_vote_counts()', array['trams (0,1,0,2,0)', 'trams in elm (0,0,0,2,0)', 'trams in oak (0,0,0,1,0)'],
  'a later join or share does not change the scopes of a vote'
);
select tests.vote('amara', 'locked', 'neutral');
select tests.vote('jonas', 'locked', 'left');
select bag_eq(
  $$ select pool from tests.all_vote_counts() as pool where pool like 'locked%' $$,
  array['locked in elm (0,1,1,0,0)', 'locked in ash (0,0,1,0,0)'],
  'a vote on a private post counts in its Hubs alone'
);

rollback to empty;

-- count_vote counts one position.
select tests.person(position::text, 2) from unnest(enum_range(null::app.vote_position)) as position;
select tests.slider('trams', 'left');

create function pg_temp.counts_after_vote(p_position app.vote_position)
returns text
language plpgsql
as $$
begin
  perform tests.vote(p_position::text, 'trams', p_position);
  return tests.vote_counts('trams');
end
$$;

select is(pg_temp.counts_after_vote(position), expected, format('a %s vote adds one to its own count alone', position))
from (
  values
    ('strong_left'::app.vote_position, '(1,0,0,0,0)'), ('left', '(1,1,0,0,0)'), ('neutral', '(1,1,1,0,0)'),
    ('right', '(1,1,1,1,0)'), ('strong_right', '(1,1,1,1,1)')
) as c (position, expected);

rollback to empty;

-- count_vote records activity and leaves the rest to the fold.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placement('locked', 'elm');
delete from app.feed_events;
delete from app.events;
select tests.vote('jonas', name, 'left', '10 minutes') from unnest(array['trams', 'locked']) as name;
select results_eq(
  'select post_id, kind::text, actor_id, hub_id, occurred_at from app.feed_events',
  $$ values (tests.id('trams'), 'voted', tests.id('jonas'), null::uuid, app.now() + interval '10 minutes') $$,
  'a delayed vote on a public post is recorded in the voter''s own stream alone'
);
select tests.vote('jonas', 'bikes', 'left');
select set_eq(
  $$ select kind::text, actor_id, hub_id, occurred_at from app.feed_events where post_id = tests.id('bikes') $$,
  $$ select 'voted', tests.id('jonas'), hub, app.now() from unnest(array[null, tests.id('elm')]) as hub $$,
  'a vote without delay is recorded at once in the voter''s and their Hubs'' streams'
);
select tests.vote('maya', 'locked', 'left');
select is_empty(
  $$ select from app.feed_events where post_id = tests.id('locked') $$, 'a vote on a private post is recorded in no stream'
);
select bag_eq(
  'select post_id, user_id, cast_at from app.fresh_votes',
  $$
    values
      (tests.id('trams'), tests.id('jonas'), app.now()), (tests.id('bikes'), tests.id('jonas'), app.now()),
      (tests.id('locked'), tests.id('jonas'), app.now()), (tests.id('locked'), tests.id('maya'), app.now())
  $$,
  'count_vote queues each vote for the fold with its post, voter and time'
);
select is_empty('select from app.trending_scores', 'count_vote does not change a trending score');
select is_empty('select from app.posts where vote_count > 0', 'count_vote does not change the vote count of a post');
select is_empty(
  'select from app.events union all select from app.milestones', 'count_vote creates no event and no milestone'
);

rollback to empty;

-- count_vote requires level 4 and a common Hub on private posts.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.slider('trams', 'amara');
select tests.placement('trams', 'elm');
select throws_ok(
  $$ select tests.vote('lena', 'locked', 'left') $$, 'PT403', 'VOTE_NOT_ALLOWED',
  'a non-member of a private post''s Hubs cannot vote on the post'
);
select is_empty(
  $$
    select from app.vote_receipts union all select from app.fresh_votes
    union all select from app.vote_slots union all select from app.pending_ballots
  $$,
  'a refused vote leaves no receipt, queue entry, count or ballot'
);
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select throws_ok(
  $$ select tests.vote('jonas', 'locked', 'left') $$, 'PT403', 'VOTE_NOT_ALLOWED',
  'a member below level 4 cannot vote on a private post'
);
select tests.vote('jonas', 'trams', 'left');
select results_eq(
  'select tests.all_vote_counts()', array['trams (0,1,0,0,0)'], 'a vote of a member below level 4 counts in no Hub'
);
select lives_ok(
  $$ select tests.vote('maya', 'locked', 'left') $$, 'a member of one of a private post''s Hubs can vote on the post'
);

rollback to empty;

-- count_vote stores a ballot for the voter's other Hubs.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.hub('ash', 'lena');
select tests.person('nina', 2);
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats', 'cars']) as name;
select tests.placement('trams', 'elm');
update app.posts set is_shareable = false where id = tests.id('cars');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');

create function pg_temp.ballots_of(p_voter text, p_post text, p_position app.vote_position)
returns text[]
language plpgsql
as $$
begin
  delete from app.pending_ballots;
  perform tests.vote(p_voter, p_post, p_position);
  return array(select tests.pending_ballots());
end
$$;

select is(pg_temp.ballots_of(voter, post, position), expected, title)
from (
  values
    (
      'jonas', 'trams', 'right'::app.vote_position, array['trams (0,0,0,1,0) for fir, oak'],
      'a ballot waits for the voter''s Hubs that do not have the post'
    ),
    (
      'jonas', 'bikes', 'left', array['bikes (0,1,0,0,0) for elm, fir, oak'],
      'a ballot for a post in no Hub waits for all of the voter''s Hubs'
    ),
    ('amara', 'trams', 'left', '{}', 'a vote leaves no ballot when all of the voter''s Hubs have the post'),
    ('nina', 'boats', 'left', '{}', 'a voter without a Hub leaves no ballot'),
    ('jonas', 'cars', 'left', '{}', 'a vote on a post that cannot be shared leaves no ballot'),
    ('jonas', 'locked', 'neutral', array['locked (0,0,1,0,0) for fir, oak'], 'a vote on a shareable private post leaves a ballot')
) as c (voter, post, position, expected, title);
select is_empty(
  $$ select from app.pending_ballots where sealed::text ~ encode(convert_to('count', 'UTF8'), 'hex') $$,
  'a stored ballot contains no plain text'
);

rollback to empty;

-- count_vote writes a receipt without the position.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.slider('trams', 'maya');
select tests.placement('trams', 'elm');
select tests.placement('trams', 'oak');
select tests.slider('bikes', 'maya');
select tests.vote('jonas', 'trams', 'left');
select tests.vote('lena', 'bikes', 'left');
select bag_eq(
  'select post_id, user_id, voted_at, baseline, array(select id from unnest(hub_ids) as id order by id) from app.vote_receipts',
  $$
    values
      (
        tests.id('trams'), tests.id('jonas'), date_trunc('minute', app.now()), null::integer,
        array(select id from unnest(tests.ids('elm', 'oak')) as id order by id)
      ),
      (tests.id('bikes'), tests.id('lena'), date_trunc('minute', app.now()), null, '{}')
  $$,
  'a receipt holds the voter, the minute and the Hubs in which the vote counted'
);
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select tests.fold();
select is(cardinality(hub_ids), 2, 'a receipt keeps its Hubs after the voter has left one')
from app.vote_receipts where user_id = tests.id('jonas');

rollback to empty;

-- displayed_hub chooses the scope in which a viewer sees votes.
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir']) as name;
select tests.hub('ash', 'amara');
select tests.slider(name, 'lena', 'private_locked_hub') from unnest(array['locked', 'at once', 'elsewhere']) as name;
select tests.slider('public', 'lena');
select tests.slider('in hub', 'lena', 'public_hub');
select tests.placement('locked', hub, app.now() - age)
from (values ('ash', interval '3 hours'), ('fir', '2 hours'), ('elm', '1 hour'), ('oak', '0')) as placement (hub, age);
select tests.placement('at once', hub) from unnest(array['elm', 'oak', 'fir']) as hub;
select tests.placement('elsewhere', 'oak', app.now() - interval '1 day'), tests.placement('elsewhere', 'elm');
select tests.placement(post, 'elm') from unnest(array['public', 'in hub']) as post;
select tests.disable_index_scans();

create function pg_temp.displayed(p_viewer text, p_post text, p_hub text)
returns text
language plpgsql
as $$
declare
  v_hub text;
begin
  if p_viewer is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_viewer);
  end if;
  select h.name into v_hub
  from app.posts as p
  join app.hubs as h on h.id = app.displayed_hub(p, tests.id(p_hub))
  where p.id = tests.id(p_post);
  perform set_config('role', 'none', true);
  return v_hub;
end
$$;

select is(pg_temp.displayed(viewer, post, hub), expected, title)
from (
  values
    ('jonas', 'locked', null, 'fir', 'a private post shows the earliest of the viewer''s Hubs'),
    ('maya', 'locked', null, 'elm', 'a private post shows each member a Hub of their own'),
    (
      'jonas', 'at once', null, (select name from unnest(array['elm', 'oak', 'fir']) as name order by tests.id(name) limit 1),
      'a private post placed in several Hubs at once shows the lowest Hub id'
    ),
    ('jonas', 'elsewhere', null, 'oak', 'another private post shows the earliest of its own Hubs'),
    ('jonas', 'locked', 'oak', 'oak', 'a private post shows the requested Hub'),
    ('jonas', 'public', null, null, 'a public post shows the global scope to a member of its Hub'),
    ('jonas', 'in hub', null, null, 'a public Hub post shows the global scope to a member of its Hub'),
    ('jonas', 'in hub', 'elm', 'elm', 'a public Hub post shows the requested Hub'),
    ('lena', 'locked', null, null, 'a private post shows no Hub to an author in none of its Hubs'),
    (null, 'public', null, null, 'a public post shows the global scope to a guest')
) as c (viewer, post, hub, expected, title);
select tests.authenticate_as_guest();
reset role;
select is(app.displayed_hub(p, null), null, 'a private post shows no Hub to a guest, even without RLS')
from app.posts as p where p.id = tests.id('locked');

rollback to empty;

-- store_ballot seals a vote in one row.
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'maya');
-- In this time zone an hour of the wall clock begins at half past.
set local timezone = 'Asia/Kolkata';
select app.store_ballot(tests.id('trams'), 'strong_right', tests.ids('elm', 'oak'), tests.vote_key());
select results_eq(
  'select post_id, cast_hour, key_id from app.pending_ballots',
  $$ values (tests.id('trams'), date_trunc('hour', app.now(), 'UTC'), app.key_id(tests.vote_key())) $$,
  'store_ballot writes one row with the UTC hour and the key id'
);
select results_eq(
  'select tests.pending_ballots()', array['trams (0,0,0,0,1) for elm, oak'], 'the sealing key opens a ballot''s position and Hubs'
);
select results_eq(
  $$ select tests.pending_ballots(tests.vote_key('another')) $$, array['trams for unknown Hubs'],
  'another key does not open a ballot'
);
delete from app.pending_ballots;
select app.store_ballot(tests.id('trams'), position, tests.ids('elm'), tests.vote_key())
from unnest(enum_range(null::app.vote_position)) as position;
select is(count(distinct octet_length(sealed)), 1::bigint, 'sealed ballots of all positions have the same length')
from app.pending_ballots;

rollback to empty;

-- one_vote counts one vote at its position.
select results_eq(
  $$
    select app.one_vote(position)::text
    from unnest(enum_range(null::app.vote_position)) with ordinality as listed (position, place) order by place
  $$,
  array['(1,0,0,0,0)', '(0,1,0,0,0)', '(0,0,1,0,0)', '(0,0,0,1,0)', '(0,0,0,0,1)'],
  'one_vote counts one vote at its position alone'
);

rollback to empty;

-- require_scope admits level 4 members of the requested Hub.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.placement('trams', 'elm');

create function pg_temp.refusals(p_operation text)
returns jsonb
language sql
return (
  select jsonb_agg(
    tests.refusal_as(caller, format('select api.%I(%L)', p_operation, tests.post_args(post) || tests.hub_args('elm')))
  )
  from (values ('jonas', 'trams'), ('lena', 'trams'), (null, 'trams'), ('lena', 'unknown')) as request (caller, post)
);

select is(
  pg_temp.refusals(operation), '[null, "PT403 FORBIDDEN", "PT403 FORBIDDEN", "PT404 POST_NOT_FOUND"]',
  format('%s with hubId answers a member, and refuses a non-member, a guest and an unknown post', operation)
)
from unnest(array['get_vote_summary', 'get_vote_distribution', 'get_post', 'list_frames']) as operation;
select is(
  tests.refusal_as('lena', format('select api.get_home_feed(%L)', tests.hub_args('elm'))), 'PT403 FORBIDDEN',
  'get_home_feed with hubId is forbidden for a non-member'
);

create function pg_temp.refusal(p_caller text, p_hub text)
returns text
language sql
return tests.refusal_as(p_caller, format('select app.require_scope(%L)', tests.id(p_hub)));

select is(pg_temp.refusal(caller, hub), expected, title)
from (
  values
    ('jonas', 'elm', null, 'require_scope admits a member of the Hub'),
    ('lena', 'elm', 'PT403 FORBIDDEN', 'require_scope refuses a non-member of the Hub'),
    ('lena', 'unknown', 'PT403 FORBIDDEN', 'require_scope refuses an unknown Hub like any other'),
    (null, 'elm', 'PT403 FORBIDDEN', 'require_scope refuses a guest who names a Hub'),
    (null, null, null, 'require_scope without a Hub admits a guest'),
    ('lena', null, null, 'require_scope without a Hub admits a user')
) as c (caller, hub, expected, title);
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select is(pg_temp.refusal('jonas', 'elm'), 'PT403 FORBIDDEN', 'require_scope refuses a member below level 4');

rollback to empty;

-- require_slider returns a visible post that has a slider.
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.slider('public', 'jonas');
select tests.post('no slider', 'jonas');

select tests.authenticate_as('maya');
select is(
  (app.require_slider(tests.id('locked'))).id, tests.id('locked'), 'require_slider returns a private post to a member of its Hub'
);
select is((app.require_slider(tests.id('public'))).visibility, 'public', 'require_slider returns a public post to any user');
select throws_ok(
  $$ select app.require_slider(tests.id('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE',
  'require_slider refuses a post without a slider'
);
select tests.authenticate_as('lena');
select throws_ok(
  $$ select app.require_slider(tests.id('locked')) $$, 'PT404', 'POST_NOT_FOUND',
  'require_slider hides a private post from a non-member'
);

rollback to empty;

-- vote_scope describes a scope as answers carry it.
select is(
  app.vote_scope(tests.id('elm')), jsonb_build_object('type', 'hub', 'hubId', tests.id('elm')),
  'vote_scope names the Hub of a Hub scope'
);
select is(app.vote_scope(null), '{"type": "global", "hubId": null}', 'vote_scope without a Hub is global');

select * from finish();
rollback;
