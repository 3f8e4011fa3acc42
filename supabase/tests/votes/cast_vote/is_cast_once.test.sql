set transaction isolation level serializable;
select plan(3);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.act_as('maya');
select lives_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, 'an author may vote too');
select throws_ok(
  $$ select api.cast_vote(tests.arguments('trams') || '{"position": "right"}') $$, 'PT409', 'VOTE_ALREADY_CAST',
  'a second vote of the same person is refused'
);
select is(tests.counts('trams'), '(0,1,0,0,0)', 'and for good');

select * from finish();
