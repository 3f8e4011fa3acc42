select plan(3);

create temporary table places (at timestamptz, id uuid);
insert into places
values
  ('2026-11-21 04:05:06.123456+00', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  ('1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000'),
  ('1969-12-31 23:59:59.999999+00', tests.id('before the epoch')),
  ('2200-03-01 00:00:00.000001+00', tests.id('far away'));

select results_eq(
  $$ select decoded.at, decoded.id from places as p, app.decode_cursor(app.encode_cursor(p.at, p.id)) as decoded $$,
  $$ select at, id from places $$,
  'a cursor says where the page ended, to the microsecond'
);
select is_empty(
  $$ select app.encode_cursor(at, id) from places where app.encode_cursor(at, id) !~ '^[A-Za-z0-9_-]{32}$' $$,
  'a cursor needs no escaping in a URL'
);
select is(app.encode_cursor(null, null), null, 'no place has no cursor');

select * from finish();
