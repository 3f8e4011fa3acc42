select plan(4);

select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben', 'cleo', 'dora']) as name;
select tests.follow('lena', 'ann', app.now() - interval '1 day');
update app.follows set is_muted = true;
select tests.follow('ben', 'lena');
select tests.follow('cleo', 'ann');
select tests.block('lena', 'cleo');
update app.blocks set created_at = app.now() - interval '1 day';
select tests.block('dora', 'lena');
select tests.block('ann', 'ben');

select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['maya > ann', 'ben > maya', 'cleo > ann'], 'follows on either side; those of others stay');
select results_eq(
  $$ select is_muted, app.now() - created_at from app.follows where follower_id = tests.id('maya') $$, $$ values (true, interval '1 day') $$,
  'each as it was'
);
select set_eq(
  'select blocker_id, blocked_id, app.now() - created_at from app.blocks',
  $$
    values
      (tests.id('maya'), tests.id('cleo'), interval '1 day'), (tests.id('dora'), tests.id('maya'), interval '0'),
      (tests.id('ann'), tests.id('ben'), interval '0')
  $$,
  'and blocks'
);
select set_eq(
  'select user_id, follower_count, following_count from app.follow_counts where follower_count + following_count > 0',
  $$
    values (tests.id('maya'), 1, 1), (tests.id('ann'), 2, 0), (tests.id('ben'), 0, 1), (tests.id('cleo'), 0, 1)
  $$,
  'their numbers go with them'
);

select * from finish();
