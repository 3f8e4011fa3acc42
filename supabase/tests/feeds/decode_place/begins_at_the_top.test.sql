select plan(3);

select app.set_clock_offset('1 hour');
select is(
  app.decode_place(null, 'home')::text,
  ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot(), 'recent', left(md5('home'), 8))::app.feed_place::text,
  'without a cursor a walk begins now, with what is committed'
);
select is((app.decode_place(null, 'home', 'trending')).part, 'active', 'a trending feed begins with the active part');
select set_eq($$ select tests.who_may('select app.decode_place(null, ''home'')') $$, array['anon', 'authenticated'], 'whoever reads feeds');

select * from finish();
