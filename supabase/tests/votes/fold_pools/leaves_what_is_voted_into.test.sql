select plan(4);

select tests.person('lena');
select tests.person('maya');
select tests.slider('trams', 'lena');
select app.set_clock_offset(date_trunc('minute', now()) - now());
select tests.vote('lena', 'trams', 'left');
select app.fold_pools();
select is_empty('select from app.vote_pools', 'a slot that somebody may be counting in is left alone');
select app.set_clock_offset(date_trunc('minute', now()) - now() + interval '30 seconds');
select tests.vote('maya', 'trams', 'right');
select app.fold_pools();
select results_eq('select left_count, right_count from app.vote_pools', 'values (1::bigint, 0::bigint)', 'half a minute later it is folded');
select results_eq('select left_count, right_count from app.vote_slots', 'values (0::bigint, 1::bigint)', 'and the other one left alone');
select is(tests.counts('trams'), '(0,1,0,1,0)', 'each vote counts once');

select * from finish();
