set transaction isolation level serializable;
select plan(4);

select tests.person('lena', 3);
select tests.slider('trams', 'lena');
select tests.person('voter_' || n) from generate_series(1, 20) as n;

create function pg_temp.delays(p_delay jsonb)
returns setof interval
language plpgsql
as $$
begin
  for v_n in 1..20 loop
    perform tests.act_as('voter_' || v_n);
    perform api.cast_vote(tests.arguments('trams') || '{"position": "left"}' || p_delay);
  end loop;
  perform set_config('role', 'none', true);
  return query select e.occurred_at - app.now() from app.feed_events as e where e.kind = 'voted';
  delete from app.feed_events;
  delete from app.vote_receipts;
end
$$;

create temporary table delays as select pg_temp.delays('{"activityDelay": {"from": 20, "to": 60}}') as delay;
select ok(min(delay) >= '20 seconds' and max(delay) <= '60 seconds', 'not sooner and not later than the service says') from delays;
select ok(max(delay) - min(delay) > '10 seconds', 'each at another time') from delays;
create temporary table usual as select pg_temp.delays('{}') as delay;
select ok(min(delay) >= '5 minutes' and max(delay) <= '30 minutes', 'five minutes to half an hour, where it says nothing') from usual;
select ok(max(delay) - min(delay) > '5 minutes', 'each at another time too') from usual;

select * from finish();
