select plan(2);

select tests.person('maya', 4);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.vote('maya', 'locked', 'right');
select tests.vote('jonas', 'trams', 'neutral');
select tests.act_as('jonas');
select is(
  api.cast_vote_answer(tests.arguments('trams') || '{"position": "neutral"}'),
  tests.arguments('trams')
    || '{"summary": {"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 1, "rightCount": 0}}',
  'with the caller''s vote in it, and without the position'
);
select is(
  api.cast_vote_answer(tests.arguments('locked')) #> '{summary,totalVotes}', '0', 'and nothing of a post that is hidden from them'
);

select * from finish();
