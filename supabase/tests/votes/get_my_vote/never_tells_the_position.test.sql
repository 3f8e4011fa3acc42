select plan(3);

select tests.person('maya', 3);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'strong_right');

select tests.act_as('jonas');
select is(
  api.get_my_vote(tests.arguments('trams')),
  tests.arguments('trams') || jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
  'that one voted and when, to the minute'
);
select tests.act_as('maya');
select is(
  api.get_my_vote(tests.arguments('trams')), tests.arguments('trams') || '{"hasVoted": false, "votedAt": null}',
  'another''s vote is not one''s own'
);
select is_empty(
  $$ select from pg_proc where pronamespace = 'api'::regnamespace and 'app.vote_position'::regtype in (prorettype) $$,
  'no operation answers a position'
);

select * from finish();
