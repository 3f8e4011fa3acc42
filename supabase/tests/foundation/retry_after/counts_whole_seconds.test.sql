select plan(3);

select is(app.retry_after(app.now() + interval '1.2 seconds'), '{"retryAfterSeconds": 2}', 'seconds are rounded up');
select is(app.retry_after(app.now()), '{"retryAfterSeconds": 1}', 'at least one is waited');
select is(app.retry_after(app.now() - interval '1 hour'), '{"retryAfterSeconds": 1}', 'even where the time has come');

select * from finish();
