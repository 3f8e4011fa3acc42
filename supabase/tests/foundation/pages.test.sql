begin;
select plan(36);

-- Cursors of lists in time order: decode_cursor reads what encode_cursor writes.
select results_eq(
  $$ select at, id from app.decode_cursor(null) $$,
  $$ values ('infinity'::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) $$,
  'without a cursor, a list begins at its newest entry'
);

create function pg_temp.refusal(p_cursor text)
returns text
language sql
return tests.error_of(format('select app.decode_cursor(%L)', p_cursor)) ->> 'code';

select is(pg_temp.refusal(given.cursor), 'VALIDATION_FAILED', given.name || ' is refused as a cursor')
from (
  values
    ('', 'an empty text'),
    ('2026-11-21', 'a date'),
    (repeat('A', 31), 'a cursor with a character too few'),
    (repeat('A', 33), 'a cursor with a character too many'),
    (repeat('A', 31) || '+', 'a cursor with a foreign character'),
    (repeat('A', 32) || E'\n', 'a cursor with a line end'),
    (repeat('Ä', 32), 'a cursor with letters beyond ASCII')
) as given (cursor, name);
select is(
  tests.error_of($$ select app.decode_cursor('x') $$),
  '{"state": "PT422", "code": "VALIDATION_FAILED", "details": {"issues": [
    {"path": ["cursor"], "code": "invalid_cursor", "message": "Not a cursor of this list."}
  ]}}',
  'the refusal of a cursor names the parameter'
);
select is(
  array(
    select forged
    from unnest(array[repeat('_', 32), repeat('-', 32), 'f' || repeat('_', 31), 'gAAA' || repeat('A', 28)]) as forged
    where pg_temp.refusal(forged) is not null
  ),
  '{}',
  'a forged cursor of the right form raises no error'
);

create temporary table positions (at timestamptz, id uuid);
insert into positions
values
  ('2026-11-21 04:05:06.123456+00', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  ('1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000'),
  ('1969-12-31 23:59:59.999999+00', tests.id('before the epoch')),
  ('2200-03-01 00:00:00.000001+00', tests.id('far away'));
select results_eq(
  $$ select decoded.at, decoded.id from positions as p, app.decode_cursor(app.encode_cursor(p.at, p.id)) as decoded $$,
  $$ select at, id from positions $$,
  'decode_cursor returns the encoded position to the microsecond'
);
select is_empty(
  $$ select app.encode_cursor(at, id) from positions where app.encode_cursor(at, id) !~ '^[A-Za-z0-9_-]{32}$' $$,
  'a cursor needs no escaping in a URL'
);
select is(app.encode_cursor(null, null), null, 'encode_cursor returns null without a position');

-- Cursors of searches: decode_hit reads what encode_hit encrypts.
create function pg_temp.cursor(p_bytes bytea)
returns text
language sql
return translate(encode(p_bytes, 'base64'), E'+/=\n', '-_');

select is(
  tests.error_of(format('select app.decode_hit(%L)', given.cursor)) #>> '{details,issues,0,code}', 'invalid_cursor',
  given.name || ' is refused as a search cursor'
)
from (
  values
    ('!', 'a text beyond base64'),
    ('', 'an empty text'),
    (pg_temp.cursor(repeat('x', 16)::bytea), 'a cursor without content'),
    (pg_temp.cursor(repeat('x', 48)::bytea), 'a cursor that no key has encrypted'),
    (pg_temp.cursor(format('[1, "maya", "%s"]', tests.id('maya'))::bytea), 'a cursor in plain text'),
    (overlay(app.encode_hit((1, 'maya', tests.id('maya'))::app.search_hit) placing '____' from 30), 'a changed cursor'),
    (app.encode_cursor(now(), tests.id('maya')), 'a cursor of another list')
) as given (cursor, name);
select is(
  tests.error_of($$ select app.decode_hit('!') $$) - 'details', '{"state": "PT422", "code": "VALIDATION_FAILED"}',
  'decode_hit raises VALIDATION_FAILED for an invalid cursor'
);

create temporary table hits as
select hit
from (
  values ((3, 'łuk "quoted" \', tests.id('maya'))::app.search_hit), ((4, '0123456', tests.id('jonas'))::app.search_hit)
) as given (hit);
select is(app.decode_hit(app.encode_hit(hit)), hit, 'decode_hit returns the encoded hit of tier ' || (hit).tier) from hits;
select is(count(distinct app.encode_hit(hit)), 1::bigint, 'encode_hit returns the same cursor for the same hit')
from hits
cross join generate_series(1, 2)
where (hit).tier = 3;
select ok(
  position('maya'::bytea in decode(rpad(v.base64, (char_length(v.base64) + 3) / 4 * 4, '='), 'base64')) = 0,
  'a search cursor does not hold its sort key in plain text'
)
from translate(app.encode_hit((1, 'maya', tests.id('maya'))::app.search_hit), '-_', '+/') as v (base64);
select matches(
  app.encode_hit((2, repeat('ÿ', n), tests.id('maya'))::app.search_hit), '^[A-Za-z0-9_-]+$',
  format('a search cursor of %s characters needs no escaping in a URL', n)
)
from generate_series(79, 80) as n;
select is(
  app.decode_hit(null), (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit,
  'without a cursor, a search begins at the top'
);

-- first_entry starts a list with the oldest entry first.
select is(
  app.first_entry(null), ('-infinity', '00000000-0000-0000-0000-000000000000')::app.list_entry,
  'without a cursor, a list of the oldest first begins before every entry'
);
select is(
  app.first_entry(app.encode_cursor('2026-11-21 04:05:06.123456+00', tests.id('entry'))),
  ('2026-11-21 04:05:06.123456+00', tests.id('entry'))::app.list_entry, 'first_entry returns the position of a cursor'
);
select throws_ok($$ select app.first_entry('?') $$, 'PT422', 'VALIDATION_FAILED', 'first_entry refuses an invalid cursor');

-- first_id_within separates older ids from newer ones.
create temporary table ids (bound uuid, made uuid);
insert into ids (made) values (app.uuid_v7());
update ids set bound = app.first_id_within('1 hour');
select ok(bound < made, 'an id made within the interval is greater than first_id_within') from ids;
update ids set bound = app.first_id_within('-1 hour');
select ok(bound > made, 'an id made before the interval is less than first_id_within') from ids;

-- next_cursor points behind the last entry of a page.
create function pg_temp.entries(p_count integer)
returns app.list_entry[]
language sql
return array(select (app.now() + n * interval '1 hour', tests.id(n::text))::app.list_entry from generate_series(1, p_count) as n);

select is(
  app.next_cursor(pg_temp.entries(3), 2), app.encode_cursor(app.now() + interval '2 hours', tests.id('2')),
  'next_cursor points at the last entry of a page with more behind it'
);
select is(app.next_cursor(pg_temp.entries(2), 2), null, 'next_cursor returns null for the last page');
select is(app.next_cursor('{}', 2), null, 'next_cursor returns null for an empty page');

select * from finish();
rollback;
