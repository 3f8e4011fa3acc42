select plan(4);

select bag_eq(
  $$
    select c.relname::text, a.attname::text
    from pg_attribute as a
    join pg_class as c on c.oid = a.attrelid
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and a.attstattarget = 0
  $$,
  $$
    select counts, position || '_count'
    from unnest(array['vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd']) as counts
    cross join unnest(enum_range(null::app.vote_position)) as position
  $$,
  'the counts of votes, and nothing else, are kept out of statistics'
);
select tests.elm();
select tests.slider('trams ' || n, 'maya') from generate_series(1, 30) as n;
insert into app.vote_pools (post_id, left_count) select p.id, row_number() over () from app.posts as p;
insert into app.vote_slots (post_id, slot, left_count, generation) select p.id, 1, row_number() over (), generation from app.posts as p cross join generate_series(0, 1) as generation;
analyze app.vote_pools, app.vote_slots;
select set_eq(
  $$ select tablename::text from pg_stats where tablename ~ '^vote_(pools|slots)' and attname = 'post_id' $$,
  array['vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd'], 'statistics are there'
);
select is_empty($$ select from pg_stats where tablename ~ '^vote_(pools|slots)' and attname ~ '_count$' $$, 'and say nothing of counts');
select is_empty(
  $$
    select from pg_statistic_ext where stxrelid::regclass::text ~ 'vote_(pools|slots)'
  $$,
  'nor do those of several columns'
);

select * from finish();
