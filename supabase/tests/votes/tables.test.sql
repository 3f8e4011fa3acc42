begin;
select plan(46);
savepoint empty;

-- fresh_votes: are nobodys business
create temporary table transients as
select unnest(array['fresh_votes', 'pending_ballots', 'pending_totals', 'promotions', 'milestones', 'vote_slots_even', 'vote_slots_odd']) as transient;
grant select on transients to public;
select is_empty($$ select from pg_policies join transients on transient = tablename where schemaname = 'app' $$, 'what votes leave for the fold has no policy');
select is_empty(
  $$
    select role, statement
    from transients
    cross join lateral unnest(array[
      format('select from app.%I', transient), format('insert into app.%I (post_id) values (null)', transient),
      format('update app.%I set post_id = post_id', transient), format('delete from app.%I', transient), format('truncate app.%I', transient)
    ]) as statement
    cross join lateral tests.who_may(statement) as role
  $$,
  'no role reads or writes it'
);
select set_eq(
  $$
    select transient, acl.grantee::regrole::text, acl.privilege_type
    from transients
    join pg_class as c on c.oid = format('app.%I', transient)::regclass
    cross join lateral aclexplode(c.relacl) as acl
    where acl.grantee <> c.relowner
  $$,
  $$ select name, 'opine_worker' as role, 'MAINTAIN' as privilege from unnest(array['fresh_votes', 'pending_ballots', 'pending_totals', 'promotions', 'vote_slots_even', 'vote_slots_odd']) as name $$,
  'the worker alone wipes it'
);

rollback to empty;

-- milestones: are ahead
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(tests.violation_of($$ insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 2, 1) $$), 'milestones_are_ahead', 'none is passed');
select is(tests.violation_of($$ insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 1, 1) $$), null, 'one may be left');
insert into app.promotions (post_id) values (tests.id('trams'));
delete from app.posts;
select is_empty('select from app.milestones', 'they go with their post');
select is_empty('select from app.promotions', 'as does what is to be promoted');

rollback to empty;

-- pending_totals: are of an hour
select tests.elm();
select tests.slider('trams', 'maya');
set local timezone = 'Asia/Kolkata';
create function pg_temp.violation(p_hour timestamptz)
returns text
language sql
return tests.violation_of(format('insert into app.pending_totals values (%L, %L, %L, %L, %L)', tests.id('trams'), tests.id('elm'), p_hour, '', ''));

select is(pg_temp.violation('2026-01-01 12:00:00+00'), null, 'that begins on the hour');
select is(pg_temp.violation('2026-01-01 12:00:00+00'), 'pending_totals_pkey', 'one a post, Hub, hour and key');
select is(pg_temp.violation('2026-01-01 12:30:00+00'), 'pending_totals_cast_hour_is_one', 'and not within it');

rollback to empty;

-- slot_generation: takes turns
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
  array(select pg_temp.generation_at(time) from unnest(array['00:00:00', '00:00:29.999', '00:00:30', '00:00:59.999', '00:01:00', '00:01:30']) with ordinality as listed (time, place) order by place),
  '{0,0,1,1,0,1}', 'another every half minute, of two'
);
select is_empty($$ select tests.who_may('select app.slot_generation()') $$, 'which no role asks about');

rollback to empty;

-- vote_pools: are one a scope
select tests.elm();
select tests.slider('trams', 'maya');
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), null), (tests.id('trams'), tests.id('elm'));
select is(tests.violation_of($$ insert into app.vote_pools (post_id) values (tests.id('trams')) $$), 'vote_pools_pkey', 'there is one pool of everybody');
select is(tests.violation_of($$ insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm')) $$), 'vote_pools_pkey', 'and one of a Hub');
insert into app.vote_slots (post_id, slot, generation) values (tests.id('trams'), 1, 0), (tests.id('trams'), 2, 0), (tests.id('trams'), 2, 1);
select is(
  tests.violation_of($$ insert into app.vote_slots (post_id, slot, generation) values (tests.id('trams'), 2, 0) $$), 'vote_slots_pkey',
  'which each backend has one slot of, a generation'
);
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.vote_pools where hub_id is not null', 'a Hub takes its pools along');
select isnt_empty('select from app.vote_pools', 'and no other');
delete from app.posts;
select is_empty('select from app.vote_pools', 'a post all of them');

rollback to empty;

-- vote_pools: are read by nobody
select tests.elm();
create temporary table places as
select unnest(array['vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd']) as place;
grant select on places to public;

select tests.authenticate_as('jonas');
select throws_ok(format('select from app.%I', place), '42501', null, place || ': not by a member') from places;
select tests.authenticate_as_guest();
select throws_ok(format('select from app.%I', place), '42501', null, place || ': not by a guest') from places;

rollback to empty;

-- vote_pools: are written by no caller
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

rollback to empty;

-- vote_pools: count upwards
select tests.elm();
select tests.slider('trams', 'maya');
select is(
  tests.violation_of(format('insert into app.vote_pools (post_id, %I) values (tests.id(''trams''), -1)', count)), 'vote_pools_counts_are_natural', count || ' is not less than none'
)
from unnest(array['strong_left_count', 'left_count', 'neutral_count', 'right_count', 'strong_right_count']) as count;

rollback to empty;

-- vote_pools: keep no statistics
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

rollback to empty;

-- vote_receipts: are seen by their voter
select tests.person('maya', 3);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'right');

select tests.authenticate_as('jonas');
select results_eq('select user_id from app.vote_receipts', array[tests.id('jonas')], 'one sees one''s own receipt');
select tests.authenticate_as('maya');
select results_eq('select user_id from app.vote_receipts', array[tests.id('maya')], 'a post''s author no more than that');
select tests.authenticate_as_guest();
select is_empty('select from app.vote_receipts', 'a guest sees none');

rollback to empty;

-- vote_receipts: are written by no caller
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');

select tests.authenticate_as('maya');
select throws_ok(
  $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('maya'), date_trunc('minute', app.now())) $$,
  '42501', null, 'nobody writes a receipt without a vote'
);
select throws_ok('update app.vote_receipts set voted_at = voted_at', '42501', null, 'nor changes one');
select throws_ok('delete from app.vote_receipts', '42501', null, 'nor takes a vote back');
select tests.authenticate_as_guest();
select throws_ok(
  $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('maya'), date_trunc('minute', app.now())) $$,
  '42501', null, 'a guest writes none'
);
select throws_ok('update app.vote_receipts set voted_at = voted_at', '42501', null, 'changes none');
select throws_ok('delete from app.vote_receipts', '42501', null, 'and deletes none');

rollback to empty;

-- vote_receipts: tell the minute
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select is(
  tests.violation_of(
    $$ insert into app.vote_receipts values (tests.id('trams'), tests.id('maya'), '2026-01-02 03:04:00.001+00') $$
  ),
  'vote_receipts_voted_at_is_coarse', 'the time of a vote is kept to the minute'
);

select * from finish();
rollback;
