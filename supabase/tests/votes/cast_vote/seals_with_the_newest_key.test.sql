set transaction isolation level serializable;
select plan(4);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.act_as('jonas');
select api.cast_vote(tests.arguments('trams') || jsonb_build_object('position', 'right', 'pendingVoteKeys', jsonb_build_array(tests.key('new'), tests.key('old'))));
reset role;
select results_eq($$ select tests.ballots(tests.key('new')) $$, array['trams (0,0,0,1,0) for elm'], 'what is pending is sealed with the first of the keys');
select results_eq($$ select tests.ballots(tests.key('old')) $$, array['trams for whom it does not say'], 'and with no other');
select tests.act_as('maya');
select throws_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, '23502', null, 'nothing is kept unsealed');
select tests.act_as('lena');
select lives_ok($$ select api.cast_vote(tests.arguments('trams') || '{"position": "left"}') $$, 'who is in no Hub needs no key');

select * from finish();
