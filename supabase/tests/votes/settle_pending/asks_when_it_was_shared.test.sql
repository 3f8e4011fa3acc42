select plan(4);

select tests.elm();
select tests.slider(name, 'lena') from unnest(array['late', 'in time', 'total in time']) as name;
select tests.vote('jonas', name, 'left') from unnest(array['late', 'in time']) as name;
select tests.sealed_total('total in time', 'elm', row(1, 0, 0, 0, 0));
select tests.placed('in time', 'elm', app.now() + interval '1 hour', 'shared', 'jonas');
select tests.placed('total in time', 'elm', app.now() + interval '1 hour', 'shared', 'jonas');
select app.set_clock_offset('338 hours');
select tests.placed('late', 'elm', app.now(), 'shared', 'jonas');
select app.settle_pending(tests.id(name), array[tests.key()]) from unnest(array['late', 'in time', 'total in time']) as name;
select is(tests.counts('late', 'elm'), null, 'a ballot that no fold has seen until its deadline is not promoted after it');
select is(tests.counts('in time', 'elm'), '(0,1,0,0,0)', 'one that was shared in time counts whenever the fold comes');
select is(tests.counts('total in time', 'elm'), '(1,0,0,0,0)', 'as does a total');
select is_empty('select from app.pending_totals union all select from app.pending_ballots', 'nothing is left of any');

select * from finish();
