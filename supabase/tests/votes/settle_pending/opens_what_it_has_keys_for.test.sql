select plan(6);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.vote('jonas', 'trams', 'right', p_key => tests.key('old'));
select app.settle_pending(tests.id('trams'), array[tests.key('old')]);
select tests.vote('maya', 'trams', 'left', p_key => tests.key('old'));
select tests.vote('amara', 'trams', 'neutral', p_key => tests.key('lost'));
select app.settle_pending(tests.id('trams'), array[tests.key('new'), tests.key('old')]);
select bag_eq(
  $$ select tests.pending(tests.key('old')) $$, array['trams in elm now (0,0,0,1,0)', 'trams in elm now sealed'], 'ballots of a former key are sealed by the newest'
);
select bag_eq($$ select tests.pending(tests.key('new')) $$, array['trams in elm now (0,1,0,0,0)', 'trams in elm now sealed'], 'and totals stay as they are');
select results_eq($$ select tests.ballots(tests.key('lost')) $$, array['trams (0,0,1,0,0) for elm'], 'what no key opens waits');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select app.settle_pending(tests.id('trams'), array[tests.key('new')]);
select is(tests.counts('trams', 'elm'), '(0,1,0,0,0)', 'shared, each counts for which there is a key');
select app.settle_pending(tests.id('trams'), array[tests.key('lost'), tests.key('old')]);
select is(tests.counts('trams', 'elm'), '(0,1,1,1,0)', 'or once there is one');
select is_empty('select from app.pending_totals union all select from app.pending_ballots', 'so that nothing is left');

select * from finish();
