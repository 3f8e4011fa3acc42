select plan(3);

select is(
  app.first_entry(null), ('-infinity', '00000000-0000-0000-0000-000000000000')::app.list_entry, 'before everything'
);
select is(
  app.first_entry(app.encode_cursor('2026-11-21 04:05:06.123456+00', tests.id('entry'))),
  ('2026-11-21 04:05:06.123456+00', tests.id('entry'))::app.list_entry, 'or where a page ended'
);
select throws_ok($$ select app.first_entry('?') $$, 'PT422', 'VALIDATION_FAILED', 'and nowhere else');

select * from finish();
