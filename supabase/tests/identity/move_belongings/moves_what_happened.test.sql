select plan(2);

select tests.person(name, 4) from unnest(array['lena', 'maya', 'jonas']) as name;
select app.emit('user_followed', tests.id('lena'), tests.id('jonas')), app.emit('user_followed', tests.id('jonas'), tests.id('lena'));
select app.emit('user_followed', tests.id('jonas'), tests.id('jonas'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq(
  'select actor_id, subject_id from app.events',
  $$ values (tests.id('maya'), tests.id('jonas')), (tests.id('jonas'), tests.id('maya')), (tests.id('jonas'), tests.id('jonas')) $$,
  'by them and to them'
);
select app.emit('user_followed', tests.id('lena'), tests.id('maya')), app.emit('hub_member_joined', tests.id('lena'), tests.id('lena'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  $$ select type::text from app.events where actor_id = tests.id('maya') and subject_id = tests.id('maya') $$,
  array['hub_member_joined'], 'but nobody is told that they follow themselves'
);

select * from finish();
