select plan(2);

select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.person('jonas', 4);
select tests.upload('jonas');
insert into app.contacts (user_id, place, name, phone_numbers)
values
  (tests.id('jonas'), 1, 'Maya', array['+12025550101', tests.phone_of('maya')]),
  (tests.id('jonas'), 2, 'Ann', array['+12025550102']),
  (tests.id('jonas'), 3, 'Nobody', '{}');

select app.erase_person(tests.id('lena'));
select results_eq(
  'select name from app.contacts order by place', array['Maya', 'Ann', 'Nobody'], 'who has no phone is in nobody''s contacts'
);
select app.erase_person(tests.id('maya'));
select results_eq('select name from app.contacts order by place', array['Ann', 'Nobody'], 'a phone is gone from everybody''s');

select * from finish();
