select plan(5);

select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('first', 'jonas', 'trams', null, app.now() - interval '3 hours');
select tests.comment('second', 'jonas', 'trams', null, app.now() - interval '2 hours');
select tests.comment('third', 'jonas', 'trams', 'second', app.now() - interval '1 hour');
select tests.post('bikes', 'lena');
select tests.comment('elsewhere', 'jonas', 'bikes');
select tests.comment('of maya', 'maya', 'trams', null, app.now());

create function pg_temp.commented(p_name text)
returns setof interval
language sql
as $$
  select distinct app.now() - e.occurred_at from app.feed_events as e
  where e.post_id = tests.id('trams') and e.kind = 'commented' and e.actor_id = tests.id(p_name) and e.lost_at is null
$$;

select app.erase_comment(tests.id('second'));
select results_eq($$ select pg_temp.commented('jonas') $$, array[interval '1 hour'], 'the last comment counts');
select app.erase_comment(tests.id('third'));
select results_eq($$ select pg_temp.commented('jonas') $$, array[interval '3 hours'], 'or the last that is left');
select set_eq(
  $$ select hub_id from app.feed_events where post_id = tests.id('trams') and actor_id = tests.id('jonas') and kind = 'commented' and lost_at is null $$, array[null, tests.id('elm')], 'in every stream'
);
select app.erase_comment(tests.id('first'));
select is_empty($$ select pg_temp.commented('jonas') $$, 'or none');
select results_eq($$ select pg_temp.commented('maya') $$, array[interval '0'], 'what others said counts on');

select * from finish();
