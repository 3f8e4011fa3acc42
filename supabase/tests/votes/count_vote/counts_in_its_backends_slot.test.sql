select plan(2);

select tests.person('maya');
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'left');
select results_eq('select slot, left_count from app.vote_slots', $$ values (pg_backend_pid(), 2::bigint) $$, 'votes of one backend share a row');
select is_empty('select from app.vote_pools', 'of the pool itself none holds any');

select * from finish();
