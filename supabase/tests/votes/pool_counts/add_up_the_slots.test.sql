select plan(3);

select tests.person('maya', 4);
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select tests.slider('silent', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
insert into app.vote_pools (post_id, slot, strong_left_count, left_count, neutral_count, right_count, strong_right_count)
values
  (tests.id('trams'), 0, 1, 2, 3, 4, 5), (tests.id('trams'), 11, 10, 20, 30, 40, 50), (tests.id('bikes'), 0, 0, 0, 7, 0, 0),
  (tests.id('locked'), 0, 9, 9, 9, 9, 9);
select tests.act_as_guest();
select set_eq(
  'select post_id, totals::text from app.pool_counts', $$ values (tests.id('trams'), '(11,22,33,44,55)'), (tests.id('bikes'), '(0,0,7,0,0)') $$,
  'of each post that the caller sees and that has votes'
);
select tests.act_as('maya');
select is(totals, row(9, 9, 9, 9, 9)::app.position_counts, 'an author sees all of their own') from app.pool_counts where post_id = tests.id('locked');
reset role;
select set_eq($$ select tests.who_may('select from app.pool_counts') $$, array['anon', 'authenticated'], 'in the name of every caller');

select * from finish();
