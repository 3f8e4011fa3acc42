select plan(8);

select tests.elm();
select tests.slider('trams', 'lena');
insert into app.pending_totals (post_id, hub_id, cast_hour, key_id, sealed)
select tests.id('trams'), tests.id('elm'), date_trunc('hour', app.now(), 'UTC') - (337 + n) * interval '1 hour', '', '' from generate_series(1, 20001) as n;
create function pg_temp.expired_ballots(p_count integer)
returns void
language sql
as $$
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  select tests.id('trams'), date_trunc('hour', app.now(), 'UTC') - interval '337 hours', '', '' from generate_series(1, p_count)
$$;
select pg_temp.expired_ballots(2);
select ok(app.prune_pending_totals(), 'there is more');
select is(count(*), 1::bigint, 'so many that the worker is not stopped in between') from app.pending_totals;
select is_empty('select from app.pending_ballots', 'ballots by themselves');
select pg_temp.expired_ballots(19999);
select ok(not app.prune_pending_totals(), 'then there is no more');
select is_empty('select from app.pending_totals', 'as the rest is gone');
select is_empty('select from app.pending_ballots', 'and that of ballots');
select pg_temp.expired_ballots(20002);
select ok(app.prune_pending_totals(), 'of ballots alone as well');
select is(count(*), 2::bigint, 'as many') from app.pending_ballots;

select * from finish();
