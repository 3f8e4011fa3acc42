begin;
select plan(37);
savepoint empty;

-- decode_cursor: begins at the top
select results_eq(
  $$ select at, id from app.decode_cursor(null) $$,
  $$ values ('infinity'::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) $$,
  'without a cursor a list begins at its newest entry'
);

rollback to empty;

-- decode_cursor: refuses foreign text
create function pg_temp.refusal(p_cursor text)
returns text
language sql
return tests.error_of(format('select app.decode_cursor(%L)', p_cursor)) ->> 'code';

select is(pg_temp.refusal(''), 'VALIDATION_FAILED', 'nothing is no cursor');
select is(pg_temp.refusal('2026-11-21'), 'VALIDATION_FAILED', 'a date is no cursor');
select is(pg_temp.refusal(repeat('A', 31)), 'VALIDATION_FAILED', 'a cut cursor is none');
select is(pg_temp.refusal(repeat('A', 33)), 'VALIDATION_FAILED', 'nor is a longer one');
select is(pg_temp.refusal(repeat('A', 31) || '+'), 'VALIDATION_FAILED', 'nor one in another alphabet');
select is(pg_temp.refusal(repeat('A', 32) || E'\n'), 'VALIDATION_FAILED', 'nor one with a line''s end');
select is(pg_temp.refusal(repeat('Ä', 32)), 'VALIDATION_FAILED', 'nor one of letters beyond ASCII');
select is(
  tests.error_of($$ select app.decode_cursor('x') $$),
  '{"state": "PT422", "code": "VALIDATION_FAILED", "details": {"issues": [
    {"path": ["cursor"], "code": "invalid_cursor", "message": "Not a cursor of this list."}
  ]}}',
  'the refusal names the parameter'
);
select is(
  array(
    select pg_temp.refusal(forged)
    from unnest(array[repeat('_', 32), repeat('-', 32), 'f' || repeat('_', 31), 'gAAA' || repeat('A', 28)]) as forged
    where pg_temp.refusal(forged) is not null
  ),
  '{}',
  'a forged cursor of the right form is some place in the list and never a failure'
);

rollback to empty;

-- decode_hit: refuses foreign text
create function pg_temp.cursor(p_bytes bytea)
returns text
language sql
return translate(encode(p_bytes, 'base64'), E'+/=\n', '-_');

select is(
  tests.error_of(format('select app.decode_hit(%L)', given.cursor)) #>> '{details,issues,0,code}', 'invalid_cursor', given.about
)
from (values
  ('!', 'no base64 is refused'),
  ('', 'an empty cursor is refused'),
  (pg_temp.cursor(repeat('x', 16)::bytea), 'a cursor without content is refused'),
  (pg_temp.cursor(repeat('x', 48)::bytea), 'a cursor encrypted by nobody is refused'),
  (pg_temp.cursor(format('[1, "maya", "%s"]', tests.id('maya'))::bytea), 'a cursor in the clear is refused'),
  (overlay(app.encode_hit((1, 'maya', tests.id('maya'))::app.search_hit) placing '____' from 30), 'a changed cursor is refused'),
  (app.encode_cursor(now(), tests.id('maya')), 'the cursor of another list is refused')
) as given (cursor, about);
select is(
  tests.error_of($$ select app.decode_hit('!') $$) - 'details', '{"state": "PT422", "code": "VALIDATION_FAILED"}', 'a refused cursor is a bad argument'
);

rollback to empty;

-- encode_cursor: comes back as it went
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

rollback to empty;

-- encode_hit: comes back as it went
create temporary table hits as
select hit
from (values ((3, 'łuk "quoted" \', tests.id('maya'))::app.search_hit), ((4, '0123456', tests.id('jonas'))::app.search_hit)) as given (hit);

select is(app.decode_hit(app.encode_hit(hit)), hit, 'decode_hit reads what encode_hit wrote') from hits;
select is(count(distinct app.encode_hit(hit)), 1::bigint, 'the same place has the same cursor') from hits cross join generate_series(1, 2) where (hit).tier = 3;
select ok(
  position('maya'::bytea in decode(rpad(v.base64, (char_length(v.base64) + 3) / 4 * 4, '='), 'base64')) = 0,
  'a cursor does not hold its sort key in the clear'
)
from translate(app.encode_hit((1, 'maya', tests.id('maya'))::app.search_hit), '-_', '+/') as v (base64);
select matches(
  app.encode_hit((2, repeat('ÿ', n), tests.id('maya'))::app.search_hit), '^[A-Za-z0-9_-]+$', 'a cursor goes into a URL as it is'
)
from generate_series(79, 80) as n;
select is(app.decode_hit(null), (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit, 'without a cursor the search begins at the top');

rollback to empty;

-- first_entry: is where a list begins
select is(
  app.first_entry(null), ('-infinity', '00000000-0000-0000-0000-000000000000')::app.list_entry, 'before everything'
);
select is(
  app.first_entry(app.encode_cursor('2026-11-21 04:05:06.123456+00', tests.id('entry'))),
  ('2026-11-21 04:05:06.123456+00', tests.id('entry'))::app.list_entry, 'or where a page ended'
);
select throws_ok($$ select app.first_entry('?') $$, 'PT422', 'VALIDATION_FAILED', 'and nowhere else');

rollback to empty;

-- first_id_within: lies before ids made since
create temporary table ids (bound uuid, made uuid);
insert into ids (made) values (app.uuid_v7());
update ids set bound = app.first_id_within('1 hour');
select ok(bound < made, 'an id made since is greater') from ids;
update ids set bound = app.first_id_within('-1 hour');
select ok(bound > made, 'one made before is not') from ids;
select is_empty($$ select tests.who_may($s$ select app.first_id_within('1 hour') $s$) $$, 'no role asks');

rollback to empty;

-- next_cursor: is of the last shown
create function pg_temp.entries(p_count integer)
returns app.list_entry[]
language sql
return array(select (app.now() + n * interval '1 hour', tests.id(n::text))::app.list_entry from generate_series(1, p_count) as n);

select is(
  app.next_cursor(pg_temp.entries(3), 2), app.encode_cursor(app.now() + interval '2 hours', tests.id('2')), 'of which there is one more'
);
select is(app.next_cursor(pg_temp.entries(2), 2), null, 'where there is no more there is none');
select is(app.next_cursor('{}', 2), null, 'nor where there is nothing');

select * from finish();
rollback;
