select plan(3);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.asset('his', 'jonas');
select tests.post('trams', 'jonas');
select app.end_user(tests.id(name)) from unnest(array['maya', 'jonas', 'lena']) as name;
select app.set_clock_offset('1 minute');
select app.finish_departure(tests.id('maya'));
select set_eq('select user_id from app.departures', array[tests.id('jonas'), tests.id('lena')], 'other departures stay');
select set_eq(
  'select due_at from app.departures', 'values (now())', 'due as they were'
);
select isnt_empty('select from app.posts', 'with what they have left behind');

select * from finish();
