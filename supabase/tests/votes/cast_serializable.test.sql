begin isolation level serializable;
select plan(25);
create function pg_temp.refusal(p_caller text, p_args jsonb)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.cast_vote(%L)', '{"position": "left"}' || p_args));
savepoint empty;

-- cast_vote counts one valid vote of a registered user (docs/product.md V1, V9).
select tests.elm();
select tests.person('guest', 1);
select tests.person('nina', 2);
select tests.session('nina');
select tests.slider('trams', 'lena');
select tests.placement('trams', 'elm');

select is(pg_temp.refusal(caller, tests.post_args('trams') || args), refusal, title)
from (
  values
    ('guest', '{}'::jsonb, 'PT403 FORBIDDEN', 'an anonymous user cannot vote'),
    ('lena', tests.hub_args('elm'), 'PT403 FORBIDDEN', 'cast_vote with hubId is forbidden for a non-member'),
    ('jonas', tests.hub_args('unknown'), 'PT404 HUB_NOT_FOUND', 'cast_vote with an unknown hubId finds no Hub'),
    ('jonas', '{"position": "centre"}', 'PT422 VALIDATION_FAILED', 'a vote with an unknown position is invalid'),
    ('jonas', '{"position": null}', 'PT422 VALIDATION_FAILED', 'a vote without a position is invalid'),
    ('jonas', tests.hub_args('elm'), null, 'a member can vote with the hubId of their Hub')
) as c (caller, args, refusal, title);
select is(
  tests.value_as('lena', format('api.cast_vote(%L)', tests.post_args('trams')
    || '{"position": "strong_right", "activityDelay": {"from": 20, "to": 20}}')),
  '{"hubId": null, "pendingHubIds": []}', 'an author can vote on their own post'
);
select tests.value_as('maya', format('api.cast_vote(%L)', tests.post_args('trams')
  || '{"position": "left", "activityDelay": {"from": 20, "to": 20}}'));
select results_eq(
  $$ select activity_at from app.fresh_votes where user_id = tests.id('maya') $$,
  $$ select app.now() + interval '20 seconds' $$, 'the activity of a vote has exactly the delay of a one-value range'
);
select tests.authenticate_as('lena');
select is(
  tests.error_of($$ select api.cast_vote(tests.post_args('trams') || '{"position": "left"}') $$),
  '{"state": "PT409", "code": "VOTE_ALREADY_CAST", "details": null}',
  'a second vote on a post is refused without details'
);
reset role;
select bag_eq(
  'select tests.all_vote_counts()', array['trams (0,2,0,0,1)', 'trams in elm (0,2,0,0,0)'],
  'an accepted vote is counted at its position, and a refused one is not'
);
set local session authorization opine_serializable;
select is(
  gateway.write_vote(tests.post_args('trams') || '{"position": "left"}', tests.claims('nina'), null, null),
  '{"hubId": null, "pendingHubIds": []}', 'the serializable login can cast the vote of a registered caller'
);

rollback to empty;

-- cast_vote draws the delay of its activity at random (docs/product.md V15).
select tests.person('lena', 3);
select tests.slider('trams', 'lena');
select tests.person('voter_' || n) from generate_series(1, 20) as n;

create function pg_temp.delays(p_delay jsonb)
returns setof interval
language plpgsql
as $$
begin
  for v_n in 1..20 loop
    perform tests.value_as(
      'voter_' || v_n, format('api.cast_vote(%L)', tests.post_args('trams') || '{"position": "left"}' || p_delay)
    );
  end loop;
  return query select f.activity_at - app.now() from app.fresh_votes as f;
  delete from app.fresh_votes;
  delete from app.vote_receipts;
end
$$;

select ok(
  (
    select min(delay) >= shortest and max(delay) <= longest and max(delay) - min(delay) > (longest - shortest) / 5
    from pg_temp.delays(args) as delay
  ),
  title
)
from (
  values
    ('{"activityDelay": {"from": 20, "to": 60}}'::jsonb, interval '20 seconds', interval '60 seconds',
      'activity delays vary within the configured range'),
    ('{}', '5 minutes', '30 minutes', 'activity delays vary between 5 and 30 minutes by default')
) as c (args, shortest, longest, title);

rollback to empty;

-- cast_vote requires a visible slider, and a common Hub on private posts (docs/product.md V9, V10).
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placement('locked', 'elm');
select tests.slider('public', 'jonas', 'public_hub');
select tests.placement('public', 'elm');
select tests.post('no slider', 'jonas', 'private_locked_hub');
select tests.placement('no slider', 'elm');
select tests.slider('trams', 'lena'), tests.repost('again', 'jonas', 'trams');
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));

select is(pg_temp.refusal(caller, tests.post_args(post)), expected, title)
from (
  values
    ('maya', 'no slider', 'PT409 POST_NOT_VOTABLE', 'a member cannot vote on a post without a slider'),
    ('maya', 'again', 'PT409 POST_NOT_VOTABLE', 'nobody votes on a repost by the slider of its original'),
    ('lena', 'locked', 'PT404 POST_NOT_FOUND', 'a non-member does not find a private post to vote on'),
    ('lena', 'unknown', 'PT404 POST_NOT_FOUND', 'a user does not find an unknown post to vote on'),
    ('jonas', 'locked', 'PT403 VOTE_NOT_ALLOWED', 'an author who left the Hub cannot vote on their private post')
) as c (caller, post, expected, title);
create function pg_temp.allowed(variadic p_votes text[])
returns text[]
language sql
return array(
  select vote from unnest(p_votes) as vote
  where pg_temp.refusal(split_part(vote, ' on ', 1), tests.post_args(split_part(vote, ' on ', 2))) is null
);
select is(
  pg_temp.allowed('maya on locked', 'jonas on public', 'lena on public'),
  '{maya on locked,jonas on public,lena on public}',
  'members can vote on a private post, and everybody on a public Hub post, an author who left the Hub too'
);
select tests.membership('elm', 'jonas');
select is(
  pg_temp.allowed('jonas on locked'), '{jonas on locked}',
  'an author who rejoined the Hub can vote on their private post'
);
select bag_eq(
  'select tests.all_vote_counts()', array['locked in elm (0,2,0,0,0)', 'public (0,2,0,0,0)'],
  'votes count in the Hubs that their voters are in when they vote'
);

rollback to empty;

-- cast_vote seals ballots with the first key.
select tests.elm();
select tests.slider('trams', 'lena');
select is(
  tests.value_as('jonas', format('api.cast_vote(%L)', tests.post_args('trams') || jsonb_build_object(
    'position', 'right', 'pendingVoteKeys', array[tests.vote_key('new'), tests.vote_key('old')]
  ))),
  jsonb_build_object('hubId', null, 'pendingHubIds', tests.ids('elm')),
  'cast_vote returns the Hubs for which the vote waits'
);
select tests.slider('locked', 'lena', 'private_locked_hub');
select tests.placement('locked', 'elm');
select is(
  tests.value_as('jonas', format('api.cast_vote(%L)', tests.post_args('locked') || '{"position": "right"}')),
  jsonb_build_object('hubId', tests.id('elm'), 'pendingHubIds', '[]'::jsonb),
  'cast_vote on a private post returns the first Hub of the voter with the post, whose votes the answer shows'
);
select results_eq(
  $$
    select tests.pending_ballots(tests.vote_key('new')) union all select tests.pending_ballots(tests.vote_key('old'))
  $$,
  array['trams (0,0,0,1,0) for elm', 'trams for unknown Hubs'],
  'the first of the pending vote keys opens a ballot, no later one'
);
select is(
  array(select pg_temp.refusal(voter, tests.post_args('trams')) from unnest(array['maya', 'lena']) as voter),
  '{23502,null}',
  'a vote that leaves a ballot fails without a key, and a voter without a Hub needs none'
);

select * from finish();
rollback;
