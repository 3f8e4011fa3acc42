select plan(4);

select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'silent', 'new']) as name;
insert into app.vote_pools (post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 1, 2, 3, 4, 5), (tests.id('bikes'), null, 0, 0, 7, 0, 0),
  (tests.id('trams'), tests.id('elm'), 1, 0, 0, 0, 0);
insert into app.vote_slots (post_id, hub_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), null, 11, 10, 20, 30, 40, 50), (tests.id('trams'), null, 12, 100, 200, 300, 400, 500),
  (tests.id('trams'), tests.id('elm'), 11, 0, 2, 0, 0, 0), (tests.id('new'), null, 11, 0, 0, 0, 0, 9),
  (tests.id('new'), null, 12, 0, 0, 0, 0, 9), (tests.id('bikes'), null, 11, 0, 0, 7, 0, 0);
select tests.act_as_guest();
select bag_eq(
  'select post_id, scope_id, totals::text from app.pool_counts',
  $$
    values
      (tests.id('trams'), tests.id('trams'), '(111,222,333,444,555)'), (tests.id('bikes'), tests.id('bikes'), '(0,0,14,0,0)'),
      (tests.id('new'), tests.id('new'), '(0,0,0,0,18)')
  $$,
  'of each post that has votes, folded or not'
);
select tests.act_as('jonas');
select is(tests.counts('trams', 'elm'), '(1,2,0,0,0)', 'and of each Hub');
select is(tests.counts('trams'), '(111,222,333,444,555)', 'by itself');
reset role;
select set_eq($$ select tests.who_may('select from app.pool_counts') $$, array['anon', 'authenticated'], 'in the name of every caller');

select * from finish();
