select plan(3);

select tests.person('maya');
select tests.person('jonas');
select tests.stored_object('photo', 'maya');
select is(
  tests.violation_of($$ insert into app.stored_objects (owner_id, bucket, object_key) values (tests.id('jonas'), 'uploads', 'photo') $$),
  'stored_objects_key_key', 'an object is of one person'
);
select is(
  tests.violation_of($$ insert into app.stored_objects (owner_id, bucket, object_key) values (tests.id('jonas'), 'public', 'photo') $$),
  null, 'a key means another object in another bucket'
);
select is(
  tests.violation_of($$ delete from app.users where id = tests.id('maya') $$), 'stored_objects_owner_id_fkey',
  'no account is deleted while anything of it lies in storage'
);

select * from finish();
