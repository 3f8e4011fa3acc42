select plan(2);

select tests.person('maya', 3);
select tests.stored_object('file', 'maya', app.now());
select app.end_user(tests.id('maya'));
update app.stored_objects set attempt_count = 5;
update app.departures set attempt_count = 5;
select app.claim_departure();
select app.claim_expired_objects(1);
select ok(due_at > app.now() + interval '20 minutes', 'a departure that failed five times waits') from app.departures;
select ok(expires_at > app.now() + interval '20 minutes', 'and so does an object') from app.stored_objects;

select * from finish();
