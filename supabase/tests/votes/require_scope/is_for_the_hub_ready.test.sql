select plan(1);

select tests.elm();
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.act_as('jonas');
select throws_ok($$ select app.require_scope(tests.id('elm')) $$, 'PT403', 'FORBIDDEN', 'a member who is not Hub-ready sees no votes of a Hub');

select * from finish();
