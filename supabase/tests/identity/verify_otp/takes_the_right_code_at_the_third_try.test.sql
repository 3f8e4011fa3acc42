select plan(1);

select tests.request_code('maya', '1234');
select tests.enter_code('maya', '0000');
select tests.enter_code('maya', '0001');
select ok(tests.enter_code('maya', '1234') ? 'sessionId', 'two wrong tries leave one');

select * from finish();
