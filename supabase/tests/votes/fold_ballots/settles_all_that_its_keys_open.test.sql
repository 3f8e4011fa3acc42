select plan(8);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right');
select tests.vote('maya', 'bikes', 'left');
select tests.vote('maya', 'trams', 'left', p_key => tests.key('lost'));
select ok(app.fold_ballots(array[tests.key()]), 'there are some');
select ok(app.fold_ballots(array[tests.key()]), 'of the other post');
select ok(not app.fold_ballots(array[tests.key()]), 'and then no more');
select bag_eq(
  'select tests.pending()', array['trams in elm now (0,0,0,1,0)', 'trams in oak now (0,0,0,1,0)', 'bikes in elm now (0,1,0,0,0)'], 'all are settled'
);
select results_eq($$ select tests.ballots(tests.key('lost')) $$, array['trams (0,1,0,0,0) for elm'], 'but what no key opens');
select tests.vote('lena', 'boats', 'left');
select tests.vote('jonas', 'boats', 'left');
delete from app.posts where id = tests.id('boats');
select ok(app.fold_ballots(array[tests.key()]), 'what is of a post that has gone');
select ok(not app.fold_ballots(array[tests.key()]), 'is settled as well');
select set_eq($$ select tests.who_may('select app.fold_ballots(null)') $$, array['opine_worker'], 'the worker does this');

select * from finish();
