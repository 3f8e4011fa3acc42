select plan(5);

select tests.person('maya', 4);
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.act_as_guest();
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

select * from finish();
