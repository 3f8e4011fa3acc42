select plan(3);

select tests.elm();
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.act_as('jonas');
select is(
  tests.error_of($$ select app.require_member(tests.id('elm')) $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 4, "level": 3, "nextStep": "contacts"}}',
  'a member of a lower level is told what is missing'
);
reset role;
select is(
  tests.refusal_of('jonas', $$ select app.require_member(tests.id('nothing')) $$), 'PT403 FORBIDDEN', 'before what they ask for'
);
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select app.require_member(tests.id('elm')) $$, 'PT401', 'UNAUTHORIZED', 'a session that has ended opens nothing');

select * from finish();
