begin;
select plan(51);

-- list_of names a list by operation, parameters and caller (docs/product.md W6).
create function pg_temp.list(
  p_args jsonb, p_caller text default 'maya', p_defaults jsonb default '{}', p_is_shared boolean default false
)
returns text
language plpgsql as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', tests.id(p_caller))::text, true);
  return app.list_of('list_things', p_args, p_defaults, p_is_shared);
end
$$;

select is(
  pg_temp.list(given.args, p_defaults => '{"sort": "recent"}'), pg_temp.list('{"q": "a", "sort": "recent"}'),
  given.title
)
from (
  values
    ('{"q": "a"}'::jsonb, 'a list with a default parameter is the list without it'),
    ('{"q": "a", "hubId": null}', 'a list with a null parameter is the list without it'),
    ('{"q": "a", "limit": 3}', 'the limit is no parameter of a list'),
    ('{"q": "a", "cursor": "b"}', 'the cursor is no parameter of a list'),
    ('{"q": "a", "staffTokenHash": "c"}', 'the session of staff is no parameter of a list')
) as given (args, title);
select isnt(pg_temp.list(given.args), pg_temp.list('{"q": "a"}'), given.title)
from (
  values
    ('{"q": "b"}'::jsonb, 'another text makes another list'),
    ('{"q": "a", "sort": "trending"}', 'another parameter makes another list'),
    ('{}', 'a missing parameter makes another list')
) as given (args, title);
select isnt(pg_temp.list('{}', 'jonas'), pg_temp.list('{}', 'maya'), 'the list of another caller is another list');
select is(
  pg_temp.list('{}', 'jonas', p_is_shared => true), pg_temp.list('{}', 'maya', p_is_shared => true),
  'a shared list is the same for every caller'
);
select isnt(app.list_of('list_things', '{}'), app.list_of('list_others', '{}'), 'another operation has another list');
select set_config('request.jwt.claims', '{"role": "staff_moderator", "email": "a@opine.example"}', true);
create temporary table list_of_a as select app.list_of('list_reports', '{}') as list;
select set_config('request.jwt.claims', '{"role": "staff_moderator", "email": "b@opine.example"}', true);
select isnt(
  app.list_of('list_reports', '{}'), list, 'the list of another member of staff is another list'
) from list_of_a;

-- Cursors: open_cursor reads what seal_cursor seals (docs/product.md W5, W6).
create function pg_temp.refusal(p_cursor text) returns text
language sql
return tests.error_of(format('select app.open_cursor(''list'', %L)', p_cursor)) ->> 'code';

create function pg_temp.base64url(p_bytes bytea) returns text
language sql
return translate(encode(p_bytes, 'base64'), E'+/=\n', '-_');

create temporary table places (place jsonb);
insert into places
values
  (jsonb_build_array('2026-11-21 04:05:06.123456+00'::timestamptz, tests.id('maya'))),
  (jsonb_build_array(3, 'łuk "quoted" \', tests.id('maya'))),
  (jsonb_build_array(repeat('ÿ', 80))),
  (jsonb_build_array(repeat('ÿ', 79)));

select is(
  app.open_cursor('list', app.seal_cursor('list', place)), place,
  'open_cursor returns the sealed place ' || left(place::text, 30)
)
from places;
select is_empty(
  $$ select from places where app.seal_cursor('list', place) !~ '^[A-Za-z0-9_-]+$' $$,
  'a cursor needs no escaping in a URL'
);
select is(
  app.seal_cursor('list', place), app.seal_cursor('list', place), 'equal places of a list have equal cursors'
)
from places
limit 1;
select is(
  app.open_cursor('list', cursor), null, 'open_cursor returns null without a cursor'
) from unnest(array[null, '']) as cursor;
select is(pg_temp.list('{"q": ""}'), pg_temp.list('{}'), 'an empty q is none');
select is(pg_temp.refusal(given.cursor), 'VALIDATION_FAILED', 'open_cursor refuses ' || given.name)
from (
  values
    ('!', 'a text beyond Base64'),
    ('2026-11-21', 'a date'),
    (repeat('Ä', 32), 'letters beyond ASCII'),
    (repeat('A', 5000), 'a text of 5,000 characters'),
    (pg_temp.base64url(repeat('x', 16)::bytea), 'a cursor without a place'),
    (pg_temp.base64url(repeat('x', 48)::bytea), 'a cursor that no key has sealed'),
    (pg_temp.base64url(format('[1, "maya", "%s"]', tests.id('maya'))::bytea), 'a place in plain text'),
    (app.seal_cursor('another list', '[1]'), 'a cursor of another list'),
    (app.seal_cursor('list', '[1]') || E'\n', 'a cursor with a line end'),
    (app.seal_cursor('list', '[1]') || '=', 'a cursor with padding')
) as given (cursor, name);
select is(
  tests.error_of($$ select app.open_cursor('list', 'x') $$),
  '{"state": "PT422", "code": "VALIDATION_FAILED", "details": {"issues": [
    {"path": ["cursor"], "code": "invalid_cursor", "message": "Not a cursor of this list."}
  ]}}',
  'the refusal of a cursor names the parameter'
);
select is(
  array(
    select place
    from app.seal_cursor('list', '["2026-11-21T04:05:06+00:00", 7]') as sealed (cursor)
    cross join generate_series(1, char_length(cursor)) as place
    cross join unnest(array['A', 'B', 'Q', '_']) as letter
    where substr(cursor, place, 1) <> letter and pg_temp.refusal(overlay(cursor placing letter from place)) is null
  ),
  '{}', 'open_cursor refuses a cursor with a change at any place'
);
select ok(
  position('maya'::bytea in decode(rpad(v.base64, (char_length(v.base64) + 3) / 4 * 4, '='), 'base64')) = 0,
  'a cursor does not hold its place in plain text'
)
from translate(app.seal_cursor('list', '["maya"]'), '-_', '+/') as v (base64);

-- Cursors of lists in time order.
select is(
  app.decode_cursor('list', app.encode_cursor('list', given.at, given.id)), given::app.list_entry,
  'a cursor keeps ' || given.at
)
from (
  values
    ('2026-11-21 04:05:06.123456+00'::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid),
    ('1969-12-31 23:59:59.999999+00', '00000000-0000-0000-0000-000000000000'),
    ('12026-03-01 00:00:00.000001+00', tests.id('far away'))
) as given (at, id);
select is(app.encode_cursor('list', null, null), null, 'encode_cursor returns null without an entry');
select is(
  app.decode_cursor('list', null), ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::app.list_entry,
  'without a cursor, a list begins at its newest entry'
);
select is(
  app.decode_cursor('list', null, p_is_oldest_first => true),
  ('-infinity', '00000000-0000-0000-0000-000000000000')::app.list_entry,
  'without a cursor, a list with the oldest first begins at its oldest entry'
);

create function pg_temp.entries(p_count integer) returns app.list_entry[]
language sql
return array(
  select (app.now() + n * interval '1 hour', tests.id(n::text))::app.list_entry from generate_series(1, p_count) as n
);

select is(
  app.next_cursor('list', pg_temp.entries(3), 2),
  app.encode_cursor('list', app.now() + interval '2 hours', tests.id('2')),
  'next_cursor points at the last entry of a page with more behind it'
);
select is(app.next_cursor('list', pg_temp.entries(2), 2), null, 'next_cursor returns null for the last page');

-- Cursors of searches.
create temporary table hits as
select array[(3, 'łuk "quoted" \', tests.id('maya')), (4, '0123456', tests.id('jonas'))]::app.search_hit[] as hits;
select is(
  app.decode_hit('list', app.encode_hit('list', hits, 1)), hits[1],
  'decode_hit returns the last hit of a page with more behind it'
)
from hits;
select is(app.encode_hit('list', hits, 2), null, 'encode_hit returns null for the last page') from hits;
select is(
  app.decode_hit('list', null), (1, '', '00000000-0000-0000-0000-000000000000')::app.search_hit,
  'without a cursor, a search begins at its best hit'
);

-- Each way to read a cursor refuses one that was changed.
create function pg_temp.readable(p_reader text, p_cursor text)
returns bigint
language sql
return (
  select count(*)
  from generate_series(1, char_length(p_cursor)) as place
  cross join unnest(array['A', 'B', 'Q', '_']) as letter
  where substr(p_cursor, place, 1) <> letter
    and tests.error_of(
      format('select app.%I(''list'', %L)', p_reader, overlay(p_cursor placing letter from place))
    ) ->> 'code'
      is distinct from 'VALIDATION_FAILED'
);
select is(
  pg_temp.readable(reader, app.seal_cursor('list', place)), 0::bigint,
  reader || ' refuses a cursor with a change at any place'
)
from (
  values
    ('decode_cursor', jsonb_build_array('2026-11-21 04:05:06.123456+00'::timestamptz, tests.id('maya'))),
    ('decode_hit', jsonb_build_array(3, '0123456', tests.id('maya'))),
    (
      'open_feed_cursor',
      jsonb_build_array(
        '2026-11-21 04:05:06+00'::timestamptz, tests.id('maya'), '2026-11-21 04:05:07+00'::timestamptz, '700:700:',
        'recent', true
      )
    )
) as c (reader, place);

-- first_id_within separates older ids from newer ones.
create temporary table ids (bound uuid, made uuid);
insert into ids (made) values (app.uuid_v7());
update ids set bound = app.first_id_within('1 hour');
select ok(bound < made, 'an id made within the interval is greater than first_id_within') from ids;
update ids set bound = app.first_id_within('-1 hour');
select ok(bound > made, 'an id made before the interval is less than first_id_within') from ids;

-- A cursor stays good as long as the database (docs/product.md W6).
create temporary table sealed as select app.seal_cursor('list', '[1]') as cursor;
select app.set_clock_offset('10 years');
select is(app.open_cursor('list', cursor), '[1]', 'a cursor is good after ten years') from sealed;

select * from finish();
rollback;
