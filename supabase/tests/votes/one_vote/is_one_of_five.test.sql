select plan(2);

select results_eq(
  'select app.one_vote(position)::text from unnest(enum_range(null::app.vote_position)) with ordinality as listed (position, place) order by place',
  array['(1,0,0,0,0)', '(0,1,0,0,0)', '(0,0,1,0,0)', '(0,0,0,1,0)', '(0,0,0,0,1)'], 'a vote counts at its position'
);
select is_empty($$ select tests.who_may('select app.one_vote(null)') $$, 'which no role asks about');

select * from finish();
