begin isolation level serializable;
select plan(34);
savepoint empty;

-- cast_vote requires membership of the Hub whose summary it returns.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.placement('trams', 'elm');

create function pg_temp.refusal(p_caller text, p_hub text)
returns text
language sql
return tests.refusal_as(
  p_caller, format('select api.cast_vote(%L)', tests.post_args('trams') || tests.hub_args(p_hub, '{"position": "left"}'))
);

select is(pg_temp.refusal('lena', 'elm'), 'PT403 FORBIDDEN', 'cast_vote with hubId is forbidden for a non-member');
select is(pg_temp.refusal('jonas', 'unknown'), 'PT403 FORBIDDEN', 'cast_vote with an unknown hubId is forbidden');
select is_empty('select from app.vote_receipts', 'a vote refused for its hubId writes no receipt');
select is(pg_temp.refusal('jonas', 'elm'), null, 'a member can vote with the hubId of their Hub');

rollback to empty;

-- cast_vote counts one valid vote of a registered user.
select tests.person('maya', 3);
select tests.person('jonas', 2);
select tests.person('guest', 1);
select tests.person('lena', 2);
select tests.session('lena');
select tests.slider('trams', 'maya');

select tests.authenticate_as('guest');
select is(
  tests.error_of($$ select api.cast_vote(tests.post_args('trams') || '{"position": "left"}') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'an anonymous user cannot vote and learns the required level'
);
select tests.authenticate_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.post_args('trams') || '{"position": "centre"}') $$, 'PT422', 'VALIDATION_FAILED',
  'a vote with an unknown position is invalid'
);
select throws_ok(
  $$ select api.cast_vote(tests.post_args('trams')) $$, 'PT422', 'VALIDATION_FAILED', 'a vote without a position is invalid'
);
reset role;
select is_empty(
  'select from app.vote_slots union all select from app.vote_receipts', 'refused and invalid votes leave no count and no receipt'
);

select tests.authenticate_as('jonas');
select is(
  api.cast_vote(tests.post_args('trams') || '{"position": "strong_right"}'), '{"pendingHubIds": []}', 'a registered user can vote'
);
reset role;
select results_eq(
  'select post_id, user_id from app.vote_receipts', $$ values (tests.id('trams'), tests.id('jonas')) $$,
  'a vote writes a receipt of its post and voter'
);
select is(tests.vote_counts('trams'), '(0,0,0,0,1)', 'a vote is counted at its position');

select tests.authenticate_as('maya');
select lives_ok(
  $$ select api.cast_vote(tests.post_args('trams') || '{"position": "left", "activityDelay": {"from": 20, "to": 20}}') $$,
  'an author can vote on their own post'
);
reset role;
select is(occurred_at, app.now() + interval '20 seconds', 'the activity of a vote has exactly the delay of a one-value range')
from app.feed_events where kind = 'voted' and actor_id = tests.id('maya');
select tests.authenticate_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.post_args('trams') || '{"position": "right"}') $$, 'PT409', 'VOTE_ALREADY_CAST',
  'a second vote of the same user is refused'
);
reset role;
select is(tests.vote_counts('trams'), '(0,1,0,0,1)', 'a refused second vote does not change the counts');

set local session authorization opine_serializable;
select is(
  (gateway.call('caller', 'cast_vote', tests.post_args('trams') || '{"position": "left"}', tests.claims('lena'))).answer,
  '{"pendingHubIds": []}', 'the serializable login can cast the vote of a caller'
);

rollback to empty;

-- cast_vote draws the delay of its activity at random.
select tests.person('lena', 3);
select tests.slider('trams', 'lena');
select tests.person('voter_' || n) from generate_series(1, 20) as n;

create function pg_temp.delays(p_delay jsonb)
returns setof interval
language plpgsql
as $$
begin
  for v_n in 1..20 loop
    perform tests.authenticate_as('voter_' || v_n);
    perform api.cast_vote(tests.post_args('trams') || '{"position": "left"}' || p_delay);
  end loop;
  perform set_config('role', 'none', true);
  return query select e.occurred_at - app.now() from app.feed_events as e where e.kind = 'voted';
  delete from app.feed_events;
  delete from app.vote_receipts;
end
$$;

create temporary table configured as select pg_temp.delays('{"activityDelay": {"from": 20, "to": 60}}') as delay;
select ok(min(delay) >= '20 seconds' and max(delay) <= '60 seconds', 'activity delays stay within the configured range')
from configured;
select ok(max(delay) - min(delay) > '10 seconds', 'activity delays vary within the configured range') from configured;
create temporary table usual as select pg_temp.delays('{}') as delay;
select ok(min(delay) >= '5 minutes' and max(delay) <= '30 minutes', 'activity delays are 5 to 30 minutes by default') from usual;
select ok(max(delay) - min(delay) > '5 minutes', 'activity delays vary within the default range') from usual;

rollback to empty;

-- cast_vote requires a visible slider, and a common Hub on private posts.
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.slider('public', 'jonas', 'public_hub');
select tests.placement('public', 'elm');
select tests.post('no slider', 'jonas', 'private_locked_hub');
select tests.placement('no slider', 'elm');
select app.end_membership(tests.id('elm'), tests.id('jonas'));

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.cast_vote(%L)', tests.post_args(p_post) || '{"position": "left"}'));

select is(pg_temp.refusal(caller, post), expected, title)
from (
  values
    ('maya', 'no slider', 'PT409 POST_NOT_VOTABLE', 'a member cannot vote on a post without a slider'),
    ('lena', 'locked', 'PT404 POST_NOT_FOUND', 'a non-member does not find a private post to vote on'),
    ('lena', 'unknown', 'PT404 POST_NOT_FOUND', 'a user does not find an unknown post to vote on'),
    ('jonas', 'locked', 'PT403 VOTE_NOT_ALLOWED', 'an author who left the Hub cannot vote on their private post')
) as c (caller, post, expected, title);
select is_empty(
  'select from app.vote_receipts union all select from app.fresh_votes union all select from app.vote_slots',
  'refused votes leave no receipt, queue entry or count'
);
select is(pg_temp.refusal(caller, post), null, title)
from (
  values
    ('maya', 'locked', 'a member can vote on a private post of their Hub'),
    ('jonas', 'public', 'an author who left the Hub can vote on their public Hub post'),
    ('lena', 'public', 'a non-member can vote on a public Hub post')
) as c (caller, post, title);
select tests.membership('elm', 'jonas');
select is(pg_temp.refusal('jonas', 'locked'), null, 'an author who rejoined the Hub can vote on their private post');
select bag_eq(
  'select tests.all_vote_counts()', array['locked in elm (0,2,0,0,0)', 'public (0,2,0,0,0)'],
  'votes count in the Hubs that their voters are in when they vote'
);

rollback to empty;

-- cast_vote seals ballots with the first key.
select tests.elm();
select tests.slider('trams', 'lena');
select tests.authenticate_as('jonas');
select api.cast_vote(
  tests.post_args('trams')
    || jsonb_build_object('position', 'right', 'pendingVoteKeys', jsonb_build_array(tests.vote_key('new'), tests.vote_key('old')))
);
reset role;
select results_eq(
  $$ select tests.pending_ballots(tests.vote_key('new')) $$, array['trams (0,0,0,1,0) for elm'],
  'the first of the pending vote keys opens a ballot'
);
select results_eq(
  $$ select tests.pending_ballots(tests.vote_key('old')) $$, array['trams for unknown Hubs'],
  'a later one of the pending vote keys does not open a ballot'
);
select tests.authenticate_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.post_args('trams') || '{"position": "left"}') $$, '23502', null,
  'a vote that leaves a ballot fails without a key'
);
select tests.authenticate_as('lena');
select lives_ok(
  $$ select api.cast_vote(tests.post_args('trams') || '{"position": "left"}') $$, 'a voter without a Hub needs no key'
);

select * from finish();
rollback;
