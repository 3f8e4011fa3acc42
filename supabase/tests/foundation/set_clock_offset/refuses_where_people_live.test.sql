select plan(2);

drop table embedded.stack;
select throws_ok(
  $$ select app.set_clock_offset('8 days') $$,
  'P0001', 'The clock is shifted only in a database that the embedded stack made.', 'the mark of the embedded stack is missing'
);
select is(app.now(), now(), 'the clock is not shifted');

select * from finish();
