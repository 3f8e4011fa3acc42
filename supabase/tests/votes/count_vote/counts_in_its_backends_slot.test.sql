select plan(2);

select tests.person('maya');
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'left');
select results_eq('select slot, left_count from app.vote_pools', $$ values (pg_backend_pid(), 2::bigint) $$, 'votes of one backend share a row');
select isnt(pg_backend_pid(), 0, 'which is not the base');

select * from finish();
