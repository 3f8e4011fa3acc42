select plan(2);

select tests.elm();
select tests.slider('trams', 'lena');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('trams'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - (337 + n) * interval '1 hour', '', '' from generate_series(1, 20001) as n;
select app.prune_pending_totals();
select is(count(*), 1::bigint, 'so many that the worker is not stopped in between') from app.pending_totals;
select app.prune_pending_totals();
select is_empty('select from app.pending_totals', 'the rest the next time');

select * from finish();
