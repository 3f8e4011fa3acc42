select plan(4);

select tests.person('lena', 2);
select tests.person('maya', 3);

create function pg_temp.sync()
returns jsonb
language sql
return tests.error_of($$ select api.sync_contacts('{"permission": "granted"}') $$);

select tests.act_as('lena');
select is(
  pg_temp.sync(), '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 3, "level": 2, "nextStep": "media"}}',
  'who has no phone cannot take the step'
);
reset role;
select is_empty('select from app.contact_snapshots', 'and announces nothing');
select tests.act_as('maya');
select is(pg_temp.sync(), null, 'who has one can');
select set_eq($$ select tests.who_may($s$ select api.sync_contacts('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');

select * from finish();
