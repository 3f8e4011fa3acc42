select plan(5);

select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann', 'ben']) as name;
select tests.follow('maya', 'lena'), tests.follow('jonas', 'lena'), tests.follow('ann', 'lena'), tests.follow('ben', 'jonas'), tests.follow('lena', 'ben');
select tests.follow('ben', 'lena', app.now() + interval '1 microsecond');
update app.follows set is_muted = true where follower_id = tests.id('ann');

select set_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('maya', 'jonas'),
  'who follows them and has not muted that; whoever follows later is not told'
);
select set_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena', p_occurred_at => app.now() + interval '1 second'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('maya', 'jonas', 'ben'), 'of what is published then they are'
);
select results_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena'), '00000000-0000-0000-0000-000000000000', 1) $$, array[least(tests.id('maya'), tests.id('jonas'))],
  'in the order of their ids'
);
select results_eq(
  $$ select app.followers_of_actor(tests.event('followed_user_posted', 'lena'), least(tests.id('maya'), tests.id('jonas')), 1) $$,
  array[greatest(tests.id('maya'), tests.id('jonas'))], 'each once'
);
select is_empty($$ select tests.who_may('select app.followers_of_actor(null, null, null)') $$, 'no role asks');

select * from finish();
