select plan(1);

select results_eq(
  $$ select at, id from app.decode_cursor(null) $$,
  $$ values ('infinity'::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) $$,
  'without a cursor a list begins at its newest entry'
);

select * from finish();
