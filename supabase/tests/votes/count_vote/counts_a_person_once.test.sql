select plan(3);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.vote('maya', 'trams', 'left');
select is(
  tests.violation_of($$ select tests.vote('maya', 'trams', 'right') $$), 'vote_receipts_pkey', 'a second vote breaks the receipts'' key'
);
select is(tests.counts('trams'), '(0,1,0,0,0)', 'and is not counted');
select lives_ok($$ select tests.vote('maya', 'bikes', 'right') $$, 'another post is another vote');

select * from finish();
