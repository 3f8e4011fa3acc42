select plan(9);

select is_empty(format('select tests.who_may(%L)', format(verb, name)), 'no role may: ' || format(verb, name))
from unnest(array['staff.allowed_emails', 'staff.audit_log', 'staff.sessions']) as name
cross join unnest(array['select from %s', 'insert into %s default values', 'delete from %s']) as verb;

select * from finish();
