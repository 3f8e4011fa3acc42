begin;
select plan(27);
savepoint empty;

-- Counts and work for the fold are read by functions alone.
select is_empty(
  $$
    select tablename, policyname from pg_policies
    where schemaname = 'app' and tablename = any (array[
      'vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd', 'fresh_votes', 'pending_ballots', 'pending_totals',
      'promotions', 'milestones'
    ])
  $$,
  'no policy shows counts of votes or the work of the fold'
);

rollback to empty;

-- A row of app.milestones is a range of totals of a post.
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(
  tests.violation_of($$ insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 2, 1) $$),
  'milestones_are_ahead', 'a range of milestones cannot end before its first total'
);
select is(
  tests.violation_of($$ insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 1, 1) $$),
  null, 'a range of milestones can hold one total'
);
insert into app.promotions (post_id) values (tests.id('trams'));
delete from app.posts;
select is_empty('select from app.milestones', 'deleting a post deletes its milestones');
select is_empty('select from app.promotions', 'deleting a post deletes its promotions');

rollback to empty;

-- A row of app.pending_totals is for one UTC hour.
select tests.elm();
select tests.slider('trams', 'maya');
-- In this time zone an hour of the wall clock begins at half past.
set local timezone = 'Asia/Kolkata';
select is(
  tests.violation_of(
    format('insert into app.pending_totals values (%L, %L, %L, %L, %L)', tests.id('trams'), tests.id('elm'), cast_hour, '', '')
  ),
  expected, title
)
from (
  values
    ('2026-01-01 12:00:00+00', null, 'a pending total can begin on a UTC hour'),
    ('2026-01-01 12:00:00+00', 'pending_totals_pkey', 'a post has one pending total for each Hub, hour and key'),
    ('2026-01-01 12:30:00+00', 'pending_totals_cast_hour_is_one', 'a pending total cannot begin within a UTC hour')
) as c (cast_hour, expected, title);

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

rollback to empty;

-- A scope of a post has one pool, whose counts are not negative.
select tests.elm();
select tests.slider('trams', 'maya');
select is(
  tests.violation_of(format('insert into app.vote_pools (post_id, %I) values (tests.id(''trams''), -1)', name)),
  'vote_pools_counts_are_natural', format('the %s of a pool cannot be negative', name)
)
from unnest(array['strong_left_count', 'left_count', 'neutral_count', 'right_count', 'strong_right_count']) as name;
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), null), (tests.id('trams'), tests.id('elm'));
select is(
  tests.violation_of($$ insert into app.vote_pools (post_id) values (tests.id('trams')) $$), 'vote_pools_pkey',
  'a post cannot have two global pools'
);
select is(
  tests.violation_of($$ insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm')) $$),
  'vote_pools_pkey', 'a post cannot have two pools of a Hub'
);
insert into app.vote_slots (post_id, slot, generation)
values (tests.id('trams'), 1, 0), (tests.id('trams'), 2, 0), (tests.id('trams'), 2, 1);
select is(
  tests.violation_of($$ insert into app.vote_slots (post_id, slot, generation) values (tests.id('trams'), 2, 0) $$),
  'vote_slots_pkey', 'a backend cannot have two slots of a scope and generation'
);
delete from app.hubs where id = tests.id('elm');
select results_eq(
  'select hub_id from app.vote_pools', array[null::uuid], 'deleting a Hub deletes its pools and keeps the global pools'
);
delete from app.posts;
select is_empty('select from app.vote_pools', 'deleting a post deletes its pools');

rollback to empty;

-- Statistics hold no counts of votes, because they would keep counts of former times.
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
  'the counts of votes, and no other columns, have a statistics target of 0'
);
select tests.elm();
select tests.slider('trams ' || n, 'maya') from generate_series(1, 30) as n;
insert into app.vote_pools (post_id, left_count) select p.id, row_number() over () from app.posts as p;
insert into app.vote_slots (post_id, slot, left_count, generation)
select p.id, 1, row_number() over (), generation from app.posts as p cross join generate_series(0, 1) as generation;
analyze app.vote_pools, app.vote_slots;
select set_eq(
  $$ select tablename::text from pg_stats where tablename ~ '^vote_(pools|slots)' and attname = 'post_id' $$,
  array['vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd'], 'analyze writes statistics of each table of counts'
);
select is_empty(
  $$ select from pg_stats where tablename ~ '^vote_(pools|slots)' and attname ~ '_count$' $$,
  'analyze writes no statistics of counts of votes'
);
select is_empty(
  $$ select from pg_statistic_ext where stxrelid::regclass::text ~ 'vote_(pools|slots)' $$,
  'tables of counts have no extended statistics'
);

rollback to empty;

-- A receipt is visible to its voter and holds the minute of the vote.
select tests.person('maya', 3);
select tests.person('jonas');
select tests.person('lena');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'right');
select is(
  tests.violation_of(
    $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('lena'), '2026-01-02 03:04:00.001+00') $$
  ),
  'vote_receipts_voted_at_is_coarse', 'a receipt cannot hold a time within a minute'
);
select tests.authenticate_as('jonas');
select results_eq('select user_id from app.vote_receipts', array[tests.id('jonas')], 'a voter sees their own receipt alone');
select tests.authenticate_as('maya');
select results_eq(
  'select user_id from app.vote_receipts', array[tests.id('maya')],
  'the author of a post does not see the receipts of other voters'
);
select tests.authenticate_as_guest();
select is_empty('select from app.vote_receipts', 'a guest sees no receipt');

select * from finish();
rollback;
