select plan(7);

select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload('hers', 'maya');
select tests.act_as('maya');
select app.limit_uploads() from generate_series(1, 598);
select lives_ok(
  $$ select api.presign_upload('{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 1}') $$, 'announcing an upload counts'
);
reset role;
select tests.complete('maya', tests.completion('hers'));
select tests.act_as('maya');
select is(tests.error_of('select app.limit_uploads()') ->> 'code', 'RATE_LIMITED', 'and so does completing one: 600 an hour are enough');
select is(
  tests.error_of($$ select api.presign_upload('{"purpose": "document", "contentType": "application/pdf", "sizeBytes": 1}') $$) ->> 'state',
  'PT429', 'no other is announced'
);
reset role;
select is(
  tests.error_of($$ select tests.complete('maya', tests.completion('hers')) $$) ->> 'state', 'PT429', 'nor completed'
);
select tests.act_as('jonas');
select lives_ok('select app.limit_uploads()', 'others are not counted with them');
reset role;
select app.set_clock_offset('6 seconds');
select tests.act_as('maya');
select lives_ok('select app.limit_uploads()', 'another is free a six hundredth of an hour later');
reset role;
select set_eq($$ select tests.who_may('select app.limit_uploads()') $$, array['authenticated'], 'operations of members count');

select * from finish();
