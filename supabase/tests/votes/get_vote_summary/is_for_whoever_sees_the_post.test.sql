select plan(4);

select tests.person('maya', 4);
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.act_as_guest();
select is(
  api.get_vote_summary(tests.arguments('trams')),
  tests.arguments('trams') || '{"scope": {"type": "global", "hubId": null},
    "summary": {"totalVotes": 1, "resultsVisible": true, "leftCount": 1, "neutralCount": 0, "rightCount": 0}}',
  'a guest sees the result of a public post'
);
select throws_ok($$ select api.get_vote_summary(tests.arguments('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE', 'a post without a slider has none');
select throws_ok($$ select api.get_vote_summary(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'a hidden post has none');
select throws_ok($$ select api.get_vote_summary(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'nor has an unknown one');

select * from finish();
