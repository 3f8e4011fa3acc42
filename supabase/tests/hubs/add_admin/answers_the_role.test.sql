select plan(6);

select tests.elm();
create function pg_temp.add(p_role jsonb)
returns jsonb
language sql
return api.add_admin(tests.in_hub('elm', tests.user('jonas') || p_role));

create function pg_temp.expected(p_role text)
returns jsonb
language sql
return tests.user('jonas') || jsonb_build_object('role', p_role);

select tests.act_as('amara');
select is(pg_temp.add('{"role": "manager"}'), pg_temp.expected('manager'), 'of a manager');
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: manager'], 'which they are');
select is(pg_temp.add('{}'), pg_temp.expected('admin'), 'or else of an admin');
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: admin'], 'which they are then');
select is(api.remove_admin(tests.in_hub('elm', tests.user('jonas'))), pg_temp.expected('member'), 'and at last of a member');
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'like others');

select * from finish();
