select plan(2);

select is(
  app.vote_distribution(row(1, 20, 300, 4000, 50000)),
  '[{"position": "strong_left", "count": 1}, {"position": "left", "count": 20}, {"position": "neutral", "count": 300},
    {"position": "right", "count": 4000}, {"position": "strong_right", "count": 50000}]',
  'five positions in order'
);
select is(app.vote_distribution(row(0, 0, 0, 0, 0)), '[]', 'none without a vote');

select * from finish();
