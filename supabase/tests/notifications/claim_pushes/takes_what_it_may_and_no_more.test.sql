select plan(2);

select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya');
select tests.notification('one', 'maya'), tests.notification('two', 'maya');
-- As Postgres knows the table when it was counted while nearly nothing waited.
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('phone'));
analyze app.pushes;
insert into app.pushes (notification_id, token_hash) values (tests.id('one'), tests.hash('tablet')), (tests.id('two'), tests.hash('phone')), (tests.id('two'), tests.hash('tablet'));

select is(count(*), 1::bigint, 'so many as it may') from tests.claims(1);
select is(count(*), 3::bigint, 'others are for other workers') from app.pushes where attempt_count = 0;

select * from finish();
