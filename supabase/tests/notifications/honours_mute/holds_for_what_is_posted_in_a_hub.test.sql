select plan(3);

select set_eq(
  $$ select type::text from unnest(enum_range(null::app.event_type)) as type where app.honours_mute(type, tests.id('elm')) $$,
  array['hub_post_created', 'post_shared_to_hub', 'post_reposted'], 'who has muted a Hub is not told of posts in it'
);
select is_empty(
  $$ select type from unnest(enum_range(null::app.event_type)) as type where app.honours_mute(type, null) $$, 'of what is of no Hub they are'
);
select is_empty($$ select tests.who_may('select app.honours_mute(null, null)') $$, 'no role asks');

select * from finish();
