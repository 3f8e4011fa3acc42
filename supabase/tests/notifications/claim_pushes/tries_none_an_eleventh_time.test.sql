select plan(4);

select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
insert into app.pushes (notification_id, token_hash, attempt_count)
select id, tests.hash('phone'), 10 from unnest(tests.ids('one', 'two', 'three')) as id;

select is_empty('select from tests.claims(2)', 'however many were never settled');
select is(count(*), 2::bigint, 'staff sees so many at once') from app.dead_letters;
select is_empty('select from tests.claims(2)', 'and then the rest');
select is(count(*), 3::bigint, 'until it has seen all') from app.dead_letters;

select * from finish();
