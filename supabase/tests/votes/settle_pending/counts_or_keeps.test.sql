select plan(7);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.slider('boats', 'lena');
select tests.vote('jonas', 'trams', 'right');
select tests.vote('maya', 'trams', 'left');
select tests.vote('maya', 'bikes', 'left');
select app.fold_pools(app.slot_generation());
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select bag_eq(
  'select tests.pending()', array['trams in elm now (0,1,0,1,0)', 'trams in oak now (0,0,0,1,0)', 'trams in fir now (0,0,0,1,0)'], 'ballots become totals of their hour'
);
select results_eq('select tests.ballots()', array['bikes (0,1,0,0,0) for elm'], 'those of other posts wait');
select bag_eq('select tests.pools()', array['trams (0,1,0,1,0)', 'bikes (0,1,0,0,0)'], 'and nobody sees them');

select tests.vote('amara', 'trams', 'neutral');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.placed('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
select tests.placed('boats', 'oak', p_kind => 'shared', p_by => 'jonas');
select app.fold_pools(app.slot_generation());
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select bag_eq(
  'select tests.pools()', array['trams (0,1,1,1,0)', 'bikes (0,1,0,0,0)', 'trams in elm (0,1,1,1,0)', 'trams in fir (0,0,0,1,0)'],
  'where the post is, totals and ballots count'
);
select results_eq('select tests.pending()', array['trams in oak now (0,0,0,1,0)'], 'and are pending no more');
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select bag_eq(
  'select tests.pools()', array['trams (0,1,1,1,0)', 'bikes (0,1,0,0,0)', 'trams in elm (0,1,1,1,0)', 'trams in fir (0,0,0,1,0)'], 'each once'
);
select is_empty($$ select tests.who_may('select app.settle_pending(null, null)') $$, 'no role does so by itself');

select * from finish();
