begin isolation level serializable;
select plan(40);
savepoint empty;

-- cast_vote: asks for scopes of the voters
select tests.elm();
select tests.slider('trams', 'lena');
select tests.placed('trams', 'elm');

create function pg_temp.refusal(p_caller text, p_hub text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.cast_vote(%L)', tests.arguments('trams') || tests.in_hub(p_hub, '{"position": "left"}')));

select is(pg_temp.refusal('lena', 'elm'), 'PT403 FORBIDDEN', 'nobody votes to see the votes of a Hub that is not theirs');
select is(pg_temp.refusal('jonas', 'unknown'), 'PT403 FORBIDDEN', 'or of none');
select is_empty('select from app.vote_receipts', 'nothing is counted');
select is(pg_temp.refusal('jonas', 'elm'), null, 'a member does');

rollback to empty;

-- cast_vote: counts a vote
select tests.person('maya', 3);
select tests.person('jonas', 2);
select tests.slider('trams', 'maya');
select tests.authenticate_as('jonas');
select is(api.cast_vote(tests.arguments('trams') || '{"position": "strong_right"}'), '{"pendingHubIds": []}', 'a registered person votes');
reset role;
select results_eq(
  'select post_id, user_id from app.vote_receipts', $$ values (tests.id('trams'), tests.id('jonas')) $$, 'a receipt says who'
);
select is(tests.counts('trams'), '(0,0,0,0,1)', 'the pool says what');

select ok(
  bool_and(occurred_at between app.now() + interval '5 minutes' and app.now() + interval '30 minutes'), 'feeds show it five minutes to half an hour later, unless the service says otherwise'
)
from app.feed_events where kind = 'voted';
select tests.authenticate_as('maya');
select api.cast_vote(tests.arguments('trams') || '{"position": "left", "activityDelay": {"from": 20, "to": 20}}');
reset role;
select is(occurred_at, app.now() + interval '20 seconds', 'as it may') from app.feed_events where kind = 'voted' and actor_id = tests.id('maya');

rollback to empty;

-- cast_vote: is cast once
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.authenticate_as('maya');
select lives_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, 'an author may vote too');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "right"}') $$, 'PT409', 'VOTE_ALREADY_CAST',
  'a second vote of the same person is refused'
);
select is(tests.counts('trams'), '(0,1,0,0,0)', 'and for good');

rollback to empty;

-- cast_vote: is shown after a delay by lot
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
    perform api.cast_vote(tests.arguments('trams') || '{"position": "left"}' || p_delay);
  end loop;
  perform set_config('role', 'none', true);
  return query select e.occurred_at - app.now() from app.feed_events as e where e.kind = 'voted';
  delete from app.feed_events;
  delete from app.vote_receipts;
end
$$;

create temporary table delays as select pg_temp.delays('{"activityDelay": {"from": 20, "to": 60}}') as delay;
select ok(min(delay) >= '20 seconds' and max(delay) <= '60 seconds', 'not sooner and not later than the service says') from delays;
select ok(max(delay) - min(delay) > '10 seconds', 'each at another time') from delays;
create temporary table usual as select pg_temp.delays('{}') as delay;
select ok(min(delay) >= '5 minutes' and max(delay) <= '30 minutes', 'five minutes to half an hour, where it says nothing') from usual;
select ok(max(delay) - min(delay) > '5 minutes', 'each at another time too') from usual;

rollback to empty;

-- cast_vote: needs a hub on private posts
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.slider('public', 'jonas', 'public_hub');
select tests.placed('public', 'elm');
select tests.post('no slider', 'jonas', 'private_locked_hub');
select tests.placed('no slider', 'elm');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.cast_vote(%L)', tests.arguments(p_post) || '{"position": "left"}'));

select is(pg_temp.refusal('maya', 'no slider'), 'PT409 POST_NOT_VOTABLE', 'without a slider nobody votes');
select is(pg_temp.refusal('lena', 'locked'), 'PT404 POST_NOT_FOUND', 'an outsider finds none to vote on');
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select is(pg_temp.refusal('jonas', 'locked'), 'PT403 VOTE_NOT_ALLOWED', 'an author who has left sees it, and has no Hub to vote in');
select is_empty('select from app.vote_receipts union all select from app.fresh_votes union all select from app.vote_slots', 'nothing is counted');
select is(pg_temp.refusal('maya', 'locked'), null, 'a member votes');
select is(pg_temp.refusal('jonas', 'public'), null, 'on a public post everybody does');
select is(pg_temp.refusal('lena', 'public'), null, 'whether of its Hub or not');
select tests.membership('elm', 'jonas');
select is(pg_temp.refusal('jonas', 'locked'), null, 'and who comes back votes');
select bag_eq('select tests.pools()', array['locked in elm (0,2,0,0,0)', 'public (0,2,0,0,0)'], 'each in the Hubs of that moment');

rollback to empty;

-- cast_vote: needs a registered voter
select tests.person('maya', 3);
select tests.person('guest', 1);
select tests.slider('trams', 'maya');
select tests.authenticate_as('guest');
select is(
  tests.error_of($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'an anonymous user registers first'
);
select tests.authenticate_as_guest();
select throws_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, '42501', null, 'a guest does not vote');
reset role;
select is_empty('select from app.vote_slots union all select from app.vote_receipts', 'nothing is counted');

rollback to empty;

-- cast_vote: needs a slider that the voter sees
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('no slider', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');

create function pg_temp.vote(p_post text)
returns jsonb
language sql
return api.cast_vote(tests.arguments(p_post) || '{"position": "left"}');

select tests.authenticate_as('jonas');
select throws_ok($$ select pg_temp.vote('no slider') $$, 'PT409', 'POST_NOT_VOTABLE', 'a post without a slider takes no vote');
select throws_ok($$ select pg_temp.vote('locked') $$, 'PT404', 'POST_NOT_FOUND', 'a hidden post is not found');
select throws_ok($$ select pg_temp.vote('unknown') $$, 'PT404', 'POST_NOT_FOUND', 'nor is one that never was');
reset role;
select is_empty('select from app.vote_receipts', 'nothing is counted');

rollback to empty;

-- cast_vote: runs by the serializable login
select tests.person('maya', 3);
select tests.session('maya');
select tests.slider('trams', 'maya');
set local session authorization opine_serializable;
select is(
  gateway.invoke('cast_vote', tests.claims('maya'), tests.arguments('trams') || '{"position": "left"}'),
  '{"pendingHubIds": []}', 'a vote runs as its caller'
);

rollback to empty;

-- cast_vote: seals with the newest key
select tests.elm();
select tests.slider('trams', 'lena');
select tests.authenticate_as('jonas');
select api.cast_vote(tests.arguments('trams') || jsonb_build_object('position', 'right', 'pendingVoteKeys', jsonb_build_array(tests.key('new'), tests.key('old'))));
reset role;
select results_eq($$ select tests.ballots(tests.key('new')) $$, array['trams (0,0,0,1,0) for elm'], 'what is pending is sealed with the first of the keys');
select results_eq($$ select tests.ballots(tests.key('old')) $$, array['trams for whom it does not say'], 'and with no other');
select tests.authenticate_as('maya');
select throws_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, '23502', null, 'nothing is kept unsealed');
select tests.authenticate_as('lena');
select lives_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, 'who is in no Hub needs no key');

rollback to empty;

-- cast_vote: takes five positions
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.authenticate_as('maya');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "centre"}') $$, 'PT422', 'VALIDATION_FAILED', 'a position beside the five is refused'
);
select throws_ok($$ select api.cast_vote(tests.arguments('trams')) $$, 'PT422', 'VALIDATION_FAILED', 'a vote without a position is refused');
reset role;
select is_empty('select from app.vote_receipts', 'nothing is counted');

select * from finish();
rollback;
