select plan(6);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');

select app.count_in_slots(tests.id('trams'), array[tests.id('elm'), null], position)
from unnest(array['strong_left', 'strong_left', 'left', 'left', 'neutral', 'neutral', 'neutral', 'right', 'right', 'right', 'right']) as name
cross join lateral (select name::app.vote_position as position) as cast_as;
select app.count_in_slots(tests.id('trams'), array[tests.id('elm')], 'strong_right') from generate_series(1, 5);
select bag_eq('select tests.pools()', array['trams (2,2,3,4,0)', 'trams in elm (2,2,3,4,5)'], 'each position in each scope');
select bag_eq(
  'select hub_id, slot from app.vote_slots', $$ values (tests.id('elm'), pg_backend_pid()), (null, pg_backend_pid()) $$, 'all of it in one row a scope'
);
select app.count_in_slots(tests.id('bikes'), '{}', 'left');
select is_empty($$ select from app.vote_slots where post_id = tests.id('bikes') $$, 'in no scope none');
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left');
select app.set_clock_offset('30 seconds');
select app.count_in_slots(tests.id('bikes'), array[null::uuid], 'left') from generate_series(1, 2);
select set_eq(
  $$ select generation, left_count from app.vote_slots where post_id = tests.id('bikes') $$,
  $$ values (app.slot_generation(), 2::bigint), ((1 - app.slot_generation())::smallint, 1) $$, 'half a minute later in the other generation'
);
insert into app.vote_slots (post_id, hub_id, slot, left_count) values (tests.id('trams'), null, 0, 7);
select app.count_in_slots(tests.id('trams'), array[null::uuid], 'left');
select results_eq($$ select left_count from app.vote_slots where slot = 0 $$, array[7::bigint], 'another backend''s slot is left to it');
select is_empty($$ select tests.who_may('select app.count_in_slots(null, null, null)') $$, 'no role counts without a vote');

select * from finish();
