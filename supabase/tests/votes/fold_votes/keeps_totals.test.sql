select plan(5);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
insert into app.vote_pools (post_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), 0, 100, 200, 300, 400, 500),
  (tests.id('trams'), 11, 1, 2, 3, 4, 5),
  (tests.id('trams'), 12, 10, 20, 30, 40, 50),
  (tests.id('bikes'), 11, 0, 0, 7, 0, 0);

update app.posts set trending_at = app.now() - interval '1 day';
set local session authorization opine_worker;
select app.fold_votes();
reset session authorization;
select bag_eq(
  'select * from app.vote_pools',
  $$
    values
      (tests.id('trams'), 0, 111::bigint, 222::bigint, 333::bigint, 444::bigint, 555::bigint),
      (tests.id('bikes'), 0, 0, 0, 7, 0, 0)
  $$,
  'the slots of each post are in its base row'
);

select set_eq(
  'select id, trending_at from app.posts',
  $$
    values
      (tests.id('trams'), app.warmed(app.now() - interval '1 day', 165)), (tests.id('bikes'), app.warmed(app.now() - interval '1 day', 7))
  $$,
  'each post is warmer by what was folded'
);

select app.fold_votes();
select is(app.pool_totals(tests.id('trams')), row(111, 222, 333, 444, 555)::app.position_counts, 'folding again changes nothing');

insert into app.vote_pools (post_id, slot, left_count) values (tests.id('trams'), 11, 1);
select is(app.pool_totals(tests.id('trams')), row(111, 223, 333, 444, 555)::app.position_counts, 'a vote after it counts');
select app.fold_votes();
select is(app.pool_totals(tests.id('trams')), row(111, 223, 333, 444, 555)::app.position_counts, 'and goes on to count once');

select * from finish();
