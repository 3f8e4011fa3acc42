select plan(4);

select tests.person('maya');
select tests.asset('photo', 'maya', 'profile_photo');
select is(
  tests.violation_of($$ insert into app.stored_objects (id, owner_id, bucket) values (tests.id('photo'), tests.id('maya'), 'media') $$),
  'stored_objects_pkey', 'a key means one object in both buckets'
);
select throws_ok(
  $$ insert into app.stored_objects (owner_id, bucket) values (tests.id('maya'), 'uploads') $$,
  '23514', null, 'what is not completed yet is none'
);
select is(
  tests.violation_of($$ delete from app.users where id = tests.id('maya') $$), 'stored_objects_owner_id_fkey',
  'no account is deleted while anything of it lies in storage'
);
select is(
  tests.violation_of($$ delete from app.stored_objects $$), 'assets_id_fkey', 'and no object is forgotten while it is an asset'
);

select * from finish();
