select plan(4);

select tests.elm();
select tests.slider('trams', 'maya');
select tests.placed('trams', 'elm');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('maya', 'locked', 'right');
select tests.vote('jonas', 'trams', 'neutral');
select tests.vote('lena', 'trams', 'left');
select tests.act_as('lena');
select is(
  api.cast_vote_answer(tests.arguments('trams') || '{"position": "left"}'),
  tests.arguments('trams')
    || '{"summary": {"totalVotes": 2, "resultsVisible": true, "leftCount": 1, "neutralCount": 1, "rightCount": 0}}',
  'with the caller''s vote in it, and without the position'
);
select is(
  api.cast_vote_answer(tests.arguments('locked')) #> '{summary,totalVotes}', '0', 'and nothing of a post that is hidden from them'
);
select tests.act_as('jonas');
select is(
  api.cast_vote_answer(tests.arguments('trams') || tests.in_hub('elm')) -> 'summary',
  '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 1, "rightCount": 0}', 'in the Hub that was asked for'
);
select is(
  api.cast_vote_answer(tests.arguments('locked')) -> 'summary',
  '{"totalVotes": 1, "resultsVisible": true, "leftCount": 0, "neutralCount": 0, "rightCount": 1}', 'on a private post in the first of theirs'
);

select * from finish();
