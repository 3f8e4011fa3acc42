select plan(7);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
select tests.fold();
select is_empty('select from app.promotions', 'nothing is to be promoted');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.placed('boats', 'elm', p_kind => 'targeted', p_by => 'lena');
select results_eq('select post_id from app.promotions', tests.ids('trams'), 'until it is shared; what is there from the beginning has nothing to promote');
select is(app.fold_ballots(array[tests.key('lost')]), false, 'without the key there is nothing to do');
select ok(app.fold_ballots(array[tests.key('new'), tests.key()]), 'with it there is');
select is(tests.counts('trams', 'elm'), '(0,0,0,1,0)', 'where it was shared it counts');
select bag_eq(
  'select tests.pending()', array['trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,0,0,1,0)', 'bikes in oak now (0,0,0,1,0)'], 'and there alone'
);
select ok(not app.fold_ballots(array[tests.key('new'), tests.key()]), 'once');

select * from finish();
