select plan(2);

select app.set_clock_offset('1 hour');
select is(
  app.decode_place(null)::text, ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot())::app.feed_place::text,
  'without a cursor a walk begins now, with what is committed'
);
select set_eq($$ select tests.who_may('select app.decode_place(null)') $$, array['anon', 'authenticated'], 'whoever reads feeds');

select * from finish();
