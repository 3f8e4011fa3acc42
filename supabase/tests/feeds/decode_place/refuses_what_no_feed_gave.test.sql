select plan(14);

create function pg_temp.cursor(p_part text default 'recent', p_feed text default 'home')
returns text
language sql
stable
return app.encode_place(('2026-01-01', tests.id('trams'), app.now(), '10:20:12', p_part, left(md5(p_feed), 8))::app.feed_place);

create function pg_temp.refusal(p_cursor text)
returns text
language sql
return tests.error_of(format('select app.decode_place(%L, ''home'')', p_cursor)) ->> 'code';

select is(pg_temp.refusal(pg_temp.cursor()), null, 'a cursor of a feed is one');
select is(pg_temp.refusal(''), 'VALIDATION_FAILED', 'nothing is none');
select is(pg_temp.refusal('2026-11-21'), 'VALIDATION_FAILED', 'a date is none');
select is(pg_temp.refusal(left(pg_temp.cursor(), 32)), 'VALIDATION_FAILED', 'that of another list is none');
select is(pg_temp.refusal(left(pg_temp.cursor(), 45)), 'VALIDATION_FAILED', 'one that is cut in its time');
select is(pg_temp.refusal(left(pg_temp.cursor(), n)), 'VALIDATION_FAILED', 'a cursor cut after ' || n || ' characters is refused')
from unnest(array[46, 55]) as n;
select is(
  array(
    select format('%s %s as %s: %s', part, feed, sort, tests.error_of(format('select app.decode_place(%L, ''home'', %L)', pg_temp.cursor(part, feed), sort)) ->> 'code')
    from unnest(array['recent', 'active', 'quiet']) as part, unnest(array['home', 'elm']) as feed, unnest(array['recent', 'trending']) as sort
    where tests.error_of(format('select app.decode_place(%L, ''home'', %L)', pg_temp.cursor(part, feed), sort)) is null
  ),
  array['recent home as recent: ', 'active home as trending: ', 'quiet home as trending: '], 'a cursor of another feed or sort is refused'
);
select is(pg_temp.refusal(overlay(pg_temp.cursor() placing 'g' from 33)), 'VALIDATION_FAILED', 'one with another letter in its time');
select is(pg_temp.refusal(overlay(pg_temp.cursor() placing '+' from 1)), 'VALIDATION_FAILED', 'or in its place');
select is(pg_temp.refusal(pg_temp.cursor() || 'x'), 'VALIDATION_FAILED', 'one that goes on');
select is(pg_temp.refusal(left(pg_temp.cursor(), 55) || '20.10.'), 'VALIDATION_FAILED', 'one that has seen the impossible');
select is(
  array(
    select forged
    from unnest(array[
      overlay(pg_temp.cursor() placing repeat('f', 14) from 33), overlay(pg_temp.cursor() placing repeat('0', 14) from 33),
      overlay(pg_temp.cursor() placing repeat('_', 32) || repeat('f', 14) from 1),
      overlay(left(pg_temp.cursor(), 55) placing repeat('-', 32) || repeat('9', 14) from 1) || '1.9223372036854775807.',
      left(pg_temp.cursor(), 55) || '99999999999999999999.99999999999999999999.'
    ]) as forged
    where pg_temp.refusal(forged) is not null
  ),
  '{}', 'a forged one of the right form is some place in the feed and never a failure'
);
select is(
  tests.error_of($$ select app.decode_place('x', 'home') $$) -> 'details',
  '{"issues": [{"path": ["cursor"], "code": "invalid_cursor", "message": "Not a cursor of this list."}]}', 'the refusal names the parameter'
);

select * from finish();
