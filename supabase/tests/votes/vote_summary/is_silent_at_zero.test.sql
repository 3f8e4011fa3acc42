select plan(1);

select is(
  app.vote_summary(row(0, 0, 0, 0, 0)),
  '{"totalVotes": 0, "resultsVisible": false, "leftCount": null, "neutralCount": null, "rightCount": null}',
  'without a vote no bucket has a number'
);

select * from finish();
