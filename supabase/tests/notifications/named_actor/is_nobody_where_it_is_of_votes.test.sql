select plan(3);

select set_eq(
  $$ select type::text from unnest(enum_range(null::app.event_type)) as type where app.named_actor(type, tests.id('maya')) is null $$,
  array['post_vote_milestone', 'post_voted'], 'votes are nobody''s'
);
select set_eq(
  $$
    select distinct app.named_actor(type, tests.id('maya')) from unnest(enum_range(null::app.event_type)) as type
    where type not in ('post_vote_milestone', 'post_voted')
  $$,
  tests.ids('maya'), 'all else is whose act it was'
);
select is_empty($$ select tests.who_may('select app.named_actor(null, null)') $$, 'no role asks');

select * from finish();
