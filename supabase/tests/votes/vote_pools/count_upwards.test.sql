select plan(1);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(
  tests.violation_of($$ insert into app.vote_pools (post_id, slot, neutral_count) values (tests.id('trams'), 0, -1) $$),
  'vote_pools_counts_are_natural', 'no position has less than no votes'
);

select * from finish();
