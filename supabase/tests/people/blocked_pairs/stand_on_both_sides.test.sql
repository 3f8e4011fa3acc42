select plan(4);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select app.set_clock_offset('1 day');
select tests.block('lena', 'maya');

select bag_eq(
  'select user_id, other_id, since from app.blocked_pairs',
  $$
    values
      (tests.id('maya'), tests.id('jonas'), app.now() - interval '1 day'), (tests.id('jonas'), tests.id('maya'), app.now() - interval '1 day'),
      (tests.id('maya'), tests.id('lena'), app.now()), (tests.id('lena'), tests.id('maya'), app.now())
  $$,
  'a block parts both, since it was made'
);
select tests.act_as('jonas');
select set_eq(
  'select user_id, other_id from app.blocked_pairs', $$ values (tests.id('maya'), tests.id('jonas')), (tests.id('jonas'), tests.id('maya')) $$,
  'the policies that ask in one''s name see the blocks of one''s own, from both sides'
);
select tests.act_as_guest();
select is_empty('select from app.blocked_pairs', 'a guest sees none');
reset role;
select set_eq(
  $$ select tests.who_may('select from app.blocked_pairs') $$, array['anon', 'authenticated'], 'policies ask for it in the name of every caller'
);

select * from finish();
