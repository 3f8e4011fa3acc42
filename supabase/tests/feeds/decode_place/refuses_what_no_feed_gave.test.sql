select plan(12);

create function pg_temp.cursor()
returns text
language sql
stable
return app.encode_place(('2026-01-01', tests.id('trams'), app.now(), '10:20:12')::app.feed_place);

create function pg_temp.refusal(p_cursor text)
returns text
language sql
return tests.error_of(format('select app.decode_place(%L)', p_cursor)) ->> 'code';

select is(pg_temp.refusal(pg_temp.cursor()), null, 'a cursor of a feed is one');
select is(pg_temp.refusal(''), 'VALIDATION_FAILED', 'nothing is none');
select is(pg_temp.refusal('2026-11-21'), 'VALIDATION_FAILED', 'a date is none');
select is(pg_temp.refusal(left(pg_temp.cursor(), 32)), 'VALIDATION_FAILED', 'that of another list is none');
select is(pg_temp.refusal(left(pg_temp.cursor(), 45)), 'VALIDATION_FAILED', 'one that is cut in its time');
select is(pg_temp.refusal(left(pg_temp.cursor(), 46)), 'VALIDATION_FAILED', 'or before what it has seen');
select is(pg_temp.refusal(overlay(pg_temp.cursor() placing 'g' from 33)), 'VALIDATION_FAILED', 'one with another letter in its time');
select is(pg_temp.refusal(overlay(pg_temp.cursor() placing '+' from 1)), 'VALIDATION_FAILED', 'or in its place');
select is(pg_temp.refusal(pg_temp.cursor() || 'x'), 'VALIDATION_FAILED', 'one that goes on');
select is(pg_temp.refusal(left(pg_temp.cursor(), 46) || '20.10.'), 'VALIDATION_FAILED', 'one that has seen the impossible');
select is(
  array(
    select forged
    from unnest(array[
      left(pg_temp.cursor(), 32) || repeat('f', 14) || '1.1.', left(pg_temp.cursor(), 32) || repeat('0', 14) || '1.1.',
      repeat('_', 32) || repeat('f', 14) || '1.1.', repeat('-', 32) || repeat('9', 14) || '1.9223372036854775807.',
      left(pg_temp.cursor(), 46) || '99999999999999999999.99999999999999999999.'
    ]) as forged
    where pg_temp.refusal(forged) is not null
  ),
  '{}', 'a forged one of the right form is some place in the feed and never a failure'
);
select is(
  tests.error_of($$ select app.decode_place('x') $$) -> 'details',
  '{"issues": [{"path": ["cursor"], "code": "invalid_cursor", "message": "Not a cursor of this list."}]}', 'the refusal names the parameter'
);

select * from finish();
