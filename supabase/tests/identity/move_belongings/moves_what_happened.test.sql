select plan(3);

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
delete from app.events;
select tests.slider('trams', 'jonas'), tests.slider('bikes', 'jonas');
delete from app.events;
insert into app.events (type, subject_id, post_id, milestone_total, milestone_count)
values
  ('post_vote_milestone', tests.id('lena'), tests.id('trams'), 501, 500), ('post_vote_milestone', tests.id('maya'), tests.id('trams'), 501, 501),
  ('post_vote_milestone', tests.id('lena'), tests.id('bikes'), 501, 500), ('post_vote_milestone', tests.id('maya'), tests.id('bikes'), 601, 500);
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select bag_eq(
  'select subject_id, post_id, milestone_total, milestone_count from app.events',
  $$
    values
      (tests.id('maya'), tests.id('trams'), 501, 501), (tests.id('maya'), tests.id('trams'), 501, 500), (tests.id('maya'), tests.id('bikes'), 501, 500), (tests.id('maya'), tests.id('bikes'), 601, 500)
  $$,
  'milestones of an author and of a voter both stay'
);

select * from finish();
