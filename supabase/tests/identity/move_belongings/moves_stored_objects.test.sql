select plan(1);

select tests.person(name, 2) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.stored_object('photo', 'lena');
select tests.stored_object('his', 'jonas');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select object_key, owner_id from app.stored_objects', $$ values ('photo', tests.id('maya')), ('his', tests.id('jonas')) $$,
  'what lies in storage changes its owner'
);

select * from finish();
