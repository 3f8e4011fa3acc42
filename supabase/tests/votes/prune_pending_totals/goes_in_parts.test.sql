select plan(7);

select tests.elm();
select tests.slider('trams', 'lena');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('trams'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - (337 + n) * interval '1 hour', '', '' from generate_series(1, 20001) as n;
insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
select tests.id('trams'), date_trunc('hour', app.now(), 'UTC') - interval '337 hours', '', '' from generate_series(1, 20002) as n;
select ok(app.prune_pending_totals(), 'there is more');
select is(count(*), 1::bigint, 'so many that the worker is not stopped in between') from app.pending_totals;
select is(count(*), 2::bigint, 'and so with ballots') from app.pending_ballots;
select ok(not app.prune_pending_totals(), 'then there is no more');
select is_empty('select from app.pending_totals', 'as the rest is gone');
select is_empty('select from app.pending_ballots', 'and that of ballots');

insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
select tests.id('trams'), date_trunc('hour', app.now(), 'UTC') - interval '337 hours', '', '' from generate_series(1, 20000) as n;
select ok(app.prune_pending_totals(), 'of ballots alone as well');

select * from finish();
