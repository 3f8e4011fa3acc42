select plan(6);

select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.pushes', 'insert into app.pushes default values', 'update app.pushes set due_at = due_at', 'delete from app.pushes']) as verb;
insert into app.pushes (notification_id, token_hash) values (tests.id('hers'), tests.hash('one')), (tests.id('hers'), tests.hash('two'));
select is(tests.violation_of('insert into app.pushes select * from app.pushes'), 'pushes_pkey', 'one a notification and device');
select bag_eq('select due_at, attempt_count from app.pushes', 'values (app.now(), 0), (app.now(), 0)', 'due at once');

select * from finish();
