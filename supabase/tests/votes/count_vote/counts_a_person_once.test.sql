select plan(3);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.vote('maya', 'trams', 'left');
select is(
  tests.error_of($$ select tests.vote('maya', 'trams', 'right') $$),
  '{"state": "PT409", "code": "VOTE_ALREADY_CAST", "details": null}', 'a second vote is refused without a detail'
);
select is(tests.counts('trams'), '(0,1,0,0,0)', 'and is not counted');
select lives_ok($$ select tests.vote('maya', 'bikes', 'right') $$, 'another post is another vote');

select * from finish();
