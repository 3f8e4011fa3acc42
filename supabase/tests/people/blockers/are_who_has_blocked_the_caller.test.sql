select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'jonas');
select tests.block('jonas', 'lena');

select tests.act_as('jonas');
select set_eq('select user_id from app.blockers', array[tests.id('maya'), tests.id('lena')], 'who has blocked the caller');
select tests.act_as('maya');
select is_empty('select user_id from app.blockers', 'and not whom they have blocked');
select tests.act_as('lena');
select set_eq('select user_id from app.blockers', array[tests.id('jonas')], 'each is told of their own');
select tests.act_as_guest();
select is_empty('select user_id from app.blockers', 'nobody has blocked a guest');
reset role;
select set_eq(
  $$ select tests.who_may('select user_id from app.blockers') $$, array['anon', 'authenticated'], 'policies ask for it in the name of every caller'
);

select * from finish();
