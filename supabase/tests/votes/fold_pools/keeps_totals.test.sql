select plan(7);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
insert into app.vote_pools (post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values (tests.id('trams'), null, 100, 200, 300, 400, 500), (tests.id('trams'), tests.id('elm'), 1000, 2000, 3000, 4000, 5000);
insert into app.vote_slots (post_id, hub_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 11, 1, 2, 3, 4, 5), (tests.id('trams'), null, 12, 10, 20, 30, 40, 50),
  (tests.id('trams'), null, 13, 1000, 2000, 3000, 4000, 5000),
  (tests.id('trams'), tests.id('elm'), 11, 1, 2, 3, 4, 5), (tests.id('trams'), tests.id('elm'), 12, 10, 20, 30, 40, 50),
  (tests.id('trams'), tests.id('oak'), 11, 7, 0, 0, 0, 0), (tests.id('bikes'), null, 12, 0, 0, 7, 0, 0);
update app.vote_slots set generation = slot % 2;
select is(count(distinct tableoid), 2::bigint, 'slots of both generations') from app.vote_slots;
create temporary table before as select tests.pools() as pool;

set local session authorization opine_worker;
select app.fold_pools(0::smallint), app.fold_pools(1::smallint);
reset session authorization;
select bag_eq(
  'select post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count from app.vote_pools',
  $$
    values
      (tests.id('trams'), null::uuid, 1111::bigint, 2222::bigint, 3333::bigint, 4444::bigint, 5555::bigint),
      (tests.id('trams'), tests.id('elm'), 1011, 2022, 3033, 4044, 5055),
      (tests.id('trams'), tests.id('oak'), 7, 0, 0, 0, 0),
      (tests.id('bikes'), null, 0, 0, 7, 0, 0)
  $$,
  'what the slots counted is in the pools, each scope in its own'
);
select is_empty('select from app.vote_slots', 'and in no slot');
select bag_eq('select tests.pools()', 'select pool from before', 'everybody sees what they saw before');
select app.fold_pools(0::smallint), app.fold_pools(1::smallint);
select bag_eq('select tests.pools()', 'select pool from before', 'folding again changes nothing');
insert into app.vote_slots (post_id, slot, left_count) values (tests.id('bikes'), 11, 1);
select app.fold_pools(0::smallint), app.fold_pools(1::smallint);
select is(tests.counts('bikes'), '(0,1,7,0,0)', 'what comes later is added');
select set_eq($$ select tests.who_may('select app.fold_pools()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
