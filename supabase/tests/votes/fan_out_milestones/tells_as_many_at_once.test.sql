select plan(3);

select tests.person('lena');
select tests.slider('trams', 'lena');
create function pg_temp.step(p_next integer, p_last integer)
returns integer
language sql
as $$
  delete from app.milestones;
  insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), p_next, p_last);
  select app.fan_out_milestones();
  select m.next_total - p_next - 1 from app.milestones as m
$$;
-- A total of n is a milestone of n / 500 voters.
select ok(pg_temp.step(1, 100000) > 0, 'totals are told of by many at a time');
select is(pg_temp.step(1, 10000), 10 * pg_temp.step(1, 100000), 'of a tenth of the votes ten times as many, so that as many voters are told');
select is(pg_temp.step(99001, 100000), pg_temp.step(1, 100000), 'however many are left');

select * from finish();
