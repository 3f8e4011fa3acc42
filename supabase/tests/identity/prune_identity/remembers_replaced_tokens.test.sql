select plan(2);

select tests.person('maya', 3);
select tests.session('maya');
select tests.refresh('token of maya', 'successor');
select app.set_clock_offset('59 days');
select app.prune_identity();
select is(
  tests.refresh('token of maya', 'successor') -> 'refusal' ->> 'code', 'UNAUTHORIZED',
  'a replaced token is known for what it is until it expires'
);
select is_empty('select from app.sessions', 'so that its late reuse ends the session');

select * from finish();
