select plan(4);

select tests.person('maya', 3);
select tests.upload('maya');
select tests.person('jonas', 3);

create function pg_temp.change(p_change text)
returns text
language sql
return tests.violation_of('update app.contact_snapshots set ' || p_change);

select is(pg_temp.change($$ permission = 'denied' $$), 'contact_snapshots_permission_is_known', 'who may not read contacts has none to sync');
select is(pg_temp.change($$ permission = 'limited' $$), null, 'a part of them is enough');
select is(
  tests.violation_of($$
    insert into app.contact_snapshots (user_id, upload_id, permission) values (tests.id('jonas'), tests.id('upload of maya'), 'granted')
  $$),
  'contact_snapshots_upload_id_key', 'an upload is of one person'
);
select is(
  tests.violation_of($$ insert into app.contact_snapshots (user_id, permission) values (tests.id('maya'), 'granted') $$),
  'contact_snapshots_pkey', 'and a person has one'
);

select * from finish();
