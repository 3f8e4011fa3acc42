select plan(3);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.act_as('maya');
select is(
  array(select tests.error_of('select app.limit_exports()') ->> 'code' from generate_series(1, 4)),
  array[null, null, null, 'RATE_LIMITED'], 'three are free'
);
select is(
  tests.error_of($$ select api.export_own_data('{}') $$) -> 'details', '{"retryAfterSeconds": 28800}', 'the next one eight hours later'
);
select tests.act_as('jonas');
select lives_ok('select app.limit_exports()', 'to each');

select * from finish();
