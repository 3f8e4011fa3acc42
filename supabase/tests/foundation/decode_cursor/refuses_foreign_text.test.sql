select plan(9);

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

select * from finish();
