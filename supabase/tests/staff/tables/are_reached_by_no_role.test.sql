select plan(12);

select is_empty(format('select tests.who_may(%L)', format(verb, name)), 'no role may: ' || format(verb, name))
from unnest(array['staff.allowed_emails', 'staff.audit_log', 'staff.sessions', 'staff.claims']) as name
cross join unnest(array['insert into %s default values', 'delete from %s']) as verb;
select is_empty(format('select tests.who_may(%L)', 'select from ' || name), 'nor look into ' || name) from unnest(array['staff.sessions', 'staff.claims']) as name;
select set_eq(format('select tests.who_may(%L)', 'select from ' || name), array['staff_admin'], 'admins read ' || name)
from unnest(array['staff.allowed_emails', 'staff.audit_log']) as name;

select * from finish();
