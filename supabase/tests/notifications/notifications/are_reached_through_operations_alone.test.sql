select plan(4);

select tests.person('maya');
select tests.notification('hers', 'maya');
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.notifications', 'insert into app.notifications default values', 'update app.notifications set read_at = read_at', 'delete from app.notifications']) as verb;

select * from finish();
