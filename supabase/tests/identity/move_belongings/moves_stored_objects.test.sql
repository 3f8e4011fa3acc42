select plan(3);

select tests.person(name, 2) from unnest(array['lena', 'maya', 'jonas']) as name;
select tests.asset('photo', 'lena');
select tests.asset('his', 'jonas');
select tests.open_upload('next', 'lena');
select tests.open_upload('his next', 'jonas');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select id, owner_id from ' || moved, $$ values (tests.id('photo'), tests.id('maya')), (tests.id('his'), tests.id('jonas')) $$,
  moved || ': what lies in storage changes its owner'
)
from unnest(array['app.stored_objects', 'app.assets']) as moved;
select set_eq(
  'select id, owner_id from app.uploads',
  $$ values (tests.id('next'), tests.id('maya')), (tests.id('his next'), tests.id('jonas')) $$, 'as does what is on its way there'
);

select * from finish();
