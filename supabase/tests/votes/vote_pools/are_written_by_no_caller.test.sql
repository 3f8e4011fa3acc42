select plan(1);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select is_empty(
  $$
    select role, statement
    from unnest(array['vote_pools', 'vote_slots']) as counts
    cross join lateral unnest(array[
      format('insert into app.%I (post_id, left_count) values (tests.id(''trams''), 1000)', counts),
      format('update app.%I set left_count = 1000', counts), format('delete from app.%I', counts), format('truncate app.%I', counts)
    ]) as statement
    cross join lateral tests.who_may(statement) as role
  $$,
  'no role adds votes, changes the count or wipes it'
);

select * from finish();
