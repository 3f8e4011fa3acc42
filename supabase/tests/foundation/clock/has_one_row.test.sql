select plan(2);

insert into app.clock (shift) values ('1 day');
select is(
  tests.violation_of($$ insert into app.clock (shift) values ('2 days') $$), 'clock_pkey', 'the clock has one shift'
);
select is(
  tests.violation_of($$ insert into app.clock (is_singleton, shift) values (false, '2 days') $$),
  'clock_is_singleton',
  'and no second by another key'
);

select * from finish();
