select plan(2);

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

select * from finish();
