select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');

select tests.act_as('maya');
select set_eq(
  'select user_id from app.blocked_users', array[tests.id('jonas'), tests.id('lena')], 'whom the caller has blocked, and who has blocked the caller'
);
select tests.act_as('jonas');
select set_eq('select user_id from app.blocked_users', array[tests.id('maya')], 'for whoever is blocked as well');
select tests.act_as('ann');
select is_empty('select user_id from app.blocked_users', 'blocks of others are theirs');
select tests.act_as_guest();
select is_empty('select user_id from app.blocked_users', 'between a guest and others stands none');
reset role;
select set_eq(
  $$ select tests.who_may('select user_id from app.blocked_users') $$, array['anon', 'authenticated'], 'policies ask for it in the name of every caller'
);

select * from finish();
