select plan(3);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider(name, 'lena') from unnest(array['late', 'in time']) as name;
select tests.vote('jonas', 'late', 'left');
select app.set_clock_offset('1 hour');
select tests.vote('jonas', 'in time', 'left');
select app.fold_pools(app.slot_generation());
select app.set_clock_offset(date_trunc('hour', now(), 'UTC') + interval '337 hours' - now());
select tests.placed(name, 'elm', app.now(), 'shared', 'jonas') from unnest(array['late', 'in time']) as name;
select app.settle_pending(tests.id(name), array[tests.key()]) from unnest(array['late', 'in time']) as name;
select bag_eq(
  'select tests.pools()', array['late (0,1,0,0,0)', 'in time (0,1,0,0,0)', 'in time in elm (0,1,0,0,0)'], 'what no fold has seen until its deadline is not promoted after it'
);
select results_eq('select tests.pending()', array['in time in oak -336 h (0,1,0,0,0)'], 'or kept');
select is_empty('select from app.pending_ballots', 'but done with');

select * from finish();
