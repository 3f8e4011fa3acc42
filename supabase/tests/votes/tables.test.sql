begin;
select plan(18);
savepoint empty;

-- Counts and work for the fold are read by functions alone.
select is_empty(
  $$
    select tablename, policyname from pg_policies
    where schemaname = 'app' and tablename = any (array[
      'vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd', 'fresh_votes', 'pending_ballots',
      'pending_totals',
      'promotions', 'milestones'
    ])
  $$,
  'no policy shows counts of votes or the work of the fold'
);

-- Rows have constraints.
select tests.elm();
select tests.slider('trams', 'maya');
-- In this time zone an hour of the wall clock begins at half past.
set local timezone = 'Asia/Kolkata';
create function pg_temp.violation(p_columns text, variadic p_values text[])
returns text
language sql
return tests.violation_of(format(
  'insert into app.%s values (%L, %s)', p_columns, tests.id('trams'),
  (
    select string_agg(quote_nullable(value), ', ' order by place)
    from unnest(p_values) with ordinality as v (value, place)
  )
));
select is(
  array(
    select pg_temp.violation('vote_pools (post_id, counts)', counts)
    from unnest(array['(-1,0,0,0,0)', '(0,-1,0,0,0)', '(0,0,-1,0,0)', '(0,0,0,-1,0)', '(0,0,0,0,-1)', '(0,0,,0,0)'])
      as counts
  ),
  array_fill('vote_pools_counts_are_natural'::text, array[6]), 'no count of a pool can be negative or missing'
);
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), null), (tests.id('trams'), tests.id('elm'));
insert into app.vote_slots (post_id, slot, generation)
values (tests.id('trams'), 1, 0), (tests.id('trams'), 2, 0), (tests.id('trams'), 2, 1);
select is(pg_temp.violation(columns, variadic new_values), expected, title)
from (
  values
    (
      'milestones (post_id, next_total, last_total)', '{2,1}'::text[], 'milestones_are_ahead',
      'a range of totals is not empty'
    ),
    ('milestones (post_id, next_total, last_total)', '{1,1}', null, 'a range of totals can hold one'),
    (
      'pending_totals', array[tests.id('elm')::text, '2026-01-01 12:00:00+00', '', ''], null,
      'a pending total can begin on a UTC hour'
    ),
    (
      'pending_totals', array[tests.id('elm')::text, '2026-01-01 12:00:00+00', '', ''], 'pending_totals_pkey',
      'a post has one pending total for each Hub, hour and key'
    ),
    (
      'pending_totals', array[tests.id('elm')::text, '2026-01-01 12:30:00+00', '', ''],
      'pending_totals_cast_hour_is_one',
      'a pending total cannot begin within a UTC hour'
    ),
    ('vote_pools (post_id, hub_id)', array[tests.id('elm')::text], 'vote_pools_pkey', 'a post has one pool of a Hub'),
    ('vote_pools (post_id, hub_id)', '{null}', 'vote_pools_pkey', 'a post has one global pool'),
    (
      'vote_slots (post_id, slot, generation)', '{2,0}', 'vote_slots_pkey',
      'a backend has one slot of a scope and generation'
    )
) as c (columns, new_values, expected, title);

rollback to empty;

-- slot_generation alternates.
create function pg_temp.generation_at(p_time text)
returns smallint
language plpgsql
as $$
begin
  perform app.set_clock_offset(('2026-01-01 ' || p_time || '+00')::timestamptz - now());
  return app.slot_generation();
end
$$;
select is(
  array(
    select pg_temp.generation_at(time)
    from unnest(array['00:00:00', '00:00:29.999', '00:00:30', '00:00:59.999', '00:01:00', '00:01:30'])
      with ordinality as listed (time, place)
    order by place
  ),
  '{0,0,1,1,0,1}', 'slot_generation alternates between 0 and 1 every half minute'
);

-- Statistics hold no counts of votes, because they would keep counts of former times.
select bag_eq(
  $$
    select c.relname::text, a.attname::text
    from pg_attribute as a
    join pg_class as c on c.oid = a.attrelid
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and a.attstattarget = 0
  $$,
  $$ select unnest(array['vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd']), 'counts' $$,
  'the counts of votes, and no other columns, have a statistics target of 0'
);
select tests.elm();
select tests.slider('trams ' || n, 'maya') from generate_series(1, 30) as n;
insert into app.vote_pools (post_id, counts)
select p.id, (0, row_number() over (), 0, 0, 0)::app.position_counts
from app.posts as p;
insert into app.vote_slots (post_id, slot, counts, generation)
select p.id, 1, (0, row_number() over (), 0, 0, 0)::app.position_counts, generation
from app.posts as p cross join generate_series(0, 1) as generation;
analyze app.vote_pools, app.vote_slots;
select set_eq(
  $$ select tablename::text from pg_stats where tablename ~ '^vote_(pools|slots)' and attname = 'post_id' $$,
  array['vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd'],
  'analyze writes statistics of each table of counts'
);
select is_empty(
  $$
    select tablename from pg_stats where tablename ~ '^vote_(pools|slots)' and attname = 'counts'
    union all
    select stxname from pg_statistic_ext where stxrelid::regclass::text ~ 'vote_(pools|slots)'
  $$,
  'analyze writes no statistics of counts of votes, and no table of counts has extended ones'
);

rollback to empty;

-- A receipt is visible to its voter and holds the minute of the vote (docs/product.md V3).
select tests.person('maya', 3);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left'), tests.vote('jonas', 'trams', 'right');
select is(
  tests.violation_of(
    $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('x'), '2026-01-02 03:04:00.001+00') $$
  ),
  'vote_receipts_voted_at_is_coarse', 'a receipt cannot hold a time within a minute'
);
select is(
  tests.value_as(viewer, 'array(select user_id from app.vote_receipts)'),
  to_jsonb(array_remove(array[tests.id(viewer)], null)),
  format('%s sees their own receipt alone', title)
)
from (values ('jonas', 'a voter'), ('maya', 'the author of a post'), (null, 'a guest')) as c (viewer, title);

select * from finish();
rollback;
