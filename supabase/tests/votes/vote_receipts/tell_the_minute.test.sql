select plan(1);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(
  tests.violation_of(
    $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('maya'), '2026-01-02 03:04:00.001+00') $$
  ),
  'vote_receipts_voted_at_is_coarse', 'the time of a vote is kept to the minute'
);

select * from finish();
