select plan(3);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;

select tests.act_as('maya');
select lives_ok($$ select app.put_follow(tests.id('jonas')) $$, 'one follows somebody');
select throws_ok($$ select app.put_follow(tests.id('jonas')) $$, '23505', null, 'once');
reset role;
select results_eq(
  'select type::text, actor_id, subject_id from app.events',
  $$ values ('user_followed', tests.id('maya'), tests.id('jonas')) $$,
  'and that is one event'
);

select * from finish();
