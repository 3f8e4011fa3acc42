begin;
select plan(46);
savepoint empty;

-- get_hub_votes: is of the viewers hubs
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir', 'bay']) as name;
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.slider('boats', 'lena');
select tests.placed('trams', 'fir', app.now() - interval '1 hour'), tests.placed('trams', 'elm', app.now() - interval '2 hours'), tests.placed('trams', 'ash', app.now() - interval '3 hours');
select tests.placed('boats', hub) from unnest(array['elm', 'oak', 'fir', 'bay']) as hub;
select tests.post('no slider', 'lena');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('maya', 'trams', 'left'), tests.vote('jonas', 'boats', 'left');

select tests.authenticate_as('jonas');
select is(
  api.get_hub_votes(tests.arguments('trams')),
  tests.arguments('trams') || jsonb_build_object('items', jsonb_build_array(
    jsonb_build_object(
      'hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm'),
      'summary', '{"totalVotes": 1, "resultsVisible": true, "leftCount": 1, "neutralCount": 0, "rightCount": 0}'::jsonb,
      'distribution', app.vote_distribution(row(0, 1, 0, 0, 0))
    ),
    jsonb_build_object(
      'hub', jsonb_build_object('id', tests.id('fir'), 'name', 'fir'), 'summary', app.vote_summary(null), 'distribution', '[]'::jsonb
    )
  )),
  'of each of their Hubs where the post is, in the order in which it came there'
);
select tests.without_indexes();
select is(
  array(select (item #>> '{hub,id}')::uuid from jsonb_array_elements(api.get_hub_votes(tests.arguments('boats')) -> 'items') with ordinality as listed (item, place) order by place),
  array(select id from unnest(tests.ids('elm', 'oak', 'fir', 'bay')) as id order by id), 'where that was at once by their ids'
);
select is(
  array(select hub ->> 'id' from app.post_cards(tests.ids('boats')) as c cross join jsonb_array_elements(c.card -> 'hubs') with ordinality as listed (hub, place) order by place),
  array(select item #>> '{hub,id}' from jsonb_array_elements(api.get_hub_votes(tests.arguments('boats')) -> 'items') with ordinality as listed (item, place) order by place),
  'as on its card'
);
select tests.authenticate_as('lena');
select is(api.get_hub_votes(tests.arguments('trams')) -> 'items', '[]', 'who is in none of them sees none');
select is(tests.refusal('get_hub_votes', tests.arguments('locked')), 'POST_NOT_FOUND', 'of a hidden post');
select is(tests.refusal('get_hub_votes', tests.arguments('unknown')), 'POST_NOT_FOUND', 'and of none there is nothing');
select is(tests.refusal('get_hub_votes', tests.arguments('no slider')), 'POST_NOT_VOTABLE', 'nor without a slider');
select tests.authenticate_as_guest();
select is(api.get_hub_votes(tests.arguments('trams')), tests.arguments('trams') || '{"items": []}', 'a guest sees none');
select is(tests.refusal('get_hub_votes', tests.arguments('no slider')), 'POST_NOT_VOTABLE', 'of a post without a slider either');

rollback to empty;

-- get_my_vote: needs a registered viewer
select tests.person('maya', 4);
select tests.person('guest', 1);
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.person('jonas');

select tests.authenticate_as('guest');
select throws_ok($$ select api.get_my_vote(tests.arguments('trams')) $$, 'PT403', 'FORBIDDEN', 'an anonymous user does not vote');
select tests.authenticate_as('jonas');
select throws_ok($$ select api.get_my_vote(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'a hidden post is not found');
select throws_ok($$ select api.get_my_vote(tests.arguments('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE', 'a post without a slider takes no vote');
select tests.authenticate_as_guest();
select throws_ok($$ select api.get_my_vote(tests.arguments('trams')) $$, '42501', null, 'a guest has no vote');

rollback to empty;

-- get_my_vote: never tells the position
select tests.person('maya', 3);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'strong_right');

select tests.authenticate_as('jonas');
select is(
  api.get_my_vote(tests.arguments('trams')),
  tests.arguments('trams') || jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
  'that one voted and when, to the minute'
);
select tests.authenticate_as('maya');
select is(
  api.get_my_vote(tests.arguments('trams')), tests.arguments('trams') || '{"hasVoted": false, "votedAt": null}',
  'another''s vote is not one''s own'
);
select is_empty(
  $$ select from pg_proc where pronamespace = 'api'::regnamespace and 'app.vote_position'::regtype in (prorettype) $$,
  'no operation answers a position'
);

rollback to empty;

-- get_vote_distribution: is for whoever sees the post
select tests.person('maya', 4);
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.authenticate_as_guest();
select is(
  api.get_vote_distribution(tests.arguments('trams')) #> '{distribution,1}', '{"position": "left", "count": 1}', 'a guest sees the positions'
);
select is(
  api.get_vote_distribution(tests.arguments('bikes')),
  tests.arguments('bikes') || '{"scope": {"type": "global", "hubId": null}, "totalVotes": 0, "distribution": []}',
  'none before the first vote'
);
select throws_ok($$ select api.get_vote_distribution(tests.arguments('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE', 'a post without a slider has none');
select throws_ok($$ select api.get_vote_distribution(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'a hidden post has none');
select throws_ok($$ select api.get_vote_distribution(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'nor has an unknown one');

rollback to empty;

-- get_vote_summary: is for whoever sees the post
select tests.person('maya', 4);
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.authenticate_as_guest();
select is(
  api.get_vote_summary(tests.arguments('trams')),
  tests.arguments('trams') || '{"scope": {"type": "global", "hubId": null},
    "summary": {"totalVotes": 1, "resultsVisible": true, "leftCount": 1, "neutralCount": 0, "rightCount": 0}}',
  'a guest sees the result of a public post'
);
select throws_ok($$ select api.get_vote_summary(tests.arguments('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE', 'a post without a slider has none');
select throws_ok($$ select api.get_vote_summary(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'a hidden post has none');
select throws_ok($$ select api.get_vote_summary(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'nor has an unknown one');

rollback to empty;

-- pool_totals: adds up the slots
select tests.elm();
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
insert into app.vote_pools (post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 1, 2, 3, 4, 5), (tests.id('trams'), tests.id('elm'), 0, 3, 0, 4, 0), (tests.id('locked'), tests.id('elm'), 0, 5, 0, 5, 0);
insert into app.vote_slots (post_id, hub_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 11, 10, 20, 30, 40, 50), (tests.id('trams'), null, 12, 10, 20, 30, 40, 50),
  (tests.id('trams'), tests.id('elm'), 11, 0, 3, 0, 4, 0);

select tests.authenticate_as_guest();
select is(app.pool_totals(tests.id('trams'), null), row(21, 42, 63, 84, 105)::app.position_counts, 'a pool with its slots');
select is(app.total_of(app.pool_totals(tests.id('unknown'), null)), 0::bigint, 'without any there is nothing to add up');
select is(app.total_of(app.pool_totals(tests.id('trams'), tests.id('elm'))), 0::bigint, 'nor is there in a Hub for who is not in it');
select is(app.total_of(app.pool_totals(tests.id('locked'), null)), 0::bigint, 'or on a private post, for everybody');
select tests.authenticate_as('jonas');
select is(app.pool_totals(tests.id('trams'), tests.id('elm')), row(0, 6, 0, 8, 0)::app.position_counts, 'its members see that of a Hub');
select is(app.total_of(app.pool_totals(tests.id('locked'), null)), 0::bigint, 'not even for its members');

rollback to empty;

-- pool_totals: is of the callers hubs
select tests.elm();
select tests.hub('ash', 'lena');
select tests.slider('trams', 'maya', 'public_hub');
select tests.placed('trams', 'elm');
select tests.placed('trams', 'ash');
select tests.vote('jonas', 'trams', 'left');
select tests.vote('lena', 'trams', 'right');

select tests.authenticate_as('jonas');
select is(tests.counts('trams'), '(0,1,0,1,0)', 'everybody''s for a member');
select is(tests.counts('trams', 'elm'), '(0,1,0,0,0)', 'that of their Hub');
select is(tests.counts('trams', 'ash'), null, 'none of another Hub');
select tests.authenticate_as_guest();
select is(tests.counts('trams'), '(0,1,0,1,0)', 'everybody''s for a guest');
select is(tests.counts('trams', 'elm'), null, 'no Hub''s for a guest');
reset role;
delete from app.memberships where user_id = tests.id('jonas');
select tests.authenticate_as('jonas');
select is(tests.counts('trams', 'elm'), null, 'none of a Hub that they have left');
reset role;
select app.fold_pools(app.slot_generation());
select tests.authenticate_as('jonas');
select is(tests.counts('trams', 'elm'), null, 'nor when it is folded');
select tests.authenticate_as('lena');
select is(tests.counts('trams', 'ash'), '(0,0,0,1,0)', 'and theirs is as before');

rollback to empty;

-- total_of: adds up positions
select is(app.total_of(row(1, 20, 300, 4000, 50000)), 54321::bigint, 'all five');
select is(app.total_of(null), 0::bigint, 'of no pool none');

rollback to empty;

-- vote_distribution: goes from left to right
select is(
  app.vote_distribution(row(1, 20, 300, 4000, 50000)),
  '[{"position": "strong_left", "count": 1}, {"position": "left", "count": 20}, {"position": "neutral", "count": 300},
    {"position": "right", "count": 4000}, {"position": "strong_right", "count": 50000}]',
  'five positions in order'
);
select is(app.vote_distribution(row(0, 0, 0, 0, 0)), '[]', 'none without a vote');

rollback to empty;

-- vote_summary: has three buckets
select is(
  app.vote_summary(row(1, 20, 300, 4000, 50000)),
  '{"totalVotes": 54321, "resultsVisible": true, "leftCount": 21, "neutralCount": 300, "rightCount": 54000}',
  'left, neutral and right'
);
select is(
  app.vote_summary(row(0, 0, 1, 0, 0)),
  '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 1, "rightCount": 0}',
  'from the first vote on'
);

rollback to empty;

-- vote_summary: is silent at zero
select is(
  app.vote_summary(row(0, 0, 0, 0, 0)),
  '{"totalVotes": 0, "resultsVisible": false, "leftCount": null, "neutralCount": null, "rightCount": null}',
  'without a vote no bucket has a number'
);

select * from finish();
rollback;
