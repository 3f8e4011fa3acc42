select plan(9);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');

select tests.act_as('maya');
select set_eq(
  'select blocker_id, blocked_id from app.blocks',
  $$ values (tests.id('maya'), tests.id('jonas')), (tests.id('lena'), tests.id('maya')) $$,
  'the policies that ask in one''s name see the blocks of one''s own, on either side'
);
select throws_ok(
  $$ insert into app.blocks (blocker_id, blocked_id) values (tests.id('maya'), tests.id('lena')) $$, '42501', null,
  'a block is made by app.put_block alone, which ends follows'
);
select throws_ok($$ update app.blocks set blocked_id = tests.id('lena') $$, '42501', null, 'and stays of whom it is');
select tests.act_as('jonas');
select set_eq('select blocker_id from app.blocks', array[tests.id('maya')], 'and no others');
delete from app.blocks;
select tests.act_as_guest();
select is_empty('select blocker_id from app.blocks', 'a guest has none');
select throws_ok('delete from app.blocks', '42501', null, 'who takes back none');
reset role;
select is(count(*)::integer, 2, 'who is blocked takes back nothing') from app.blocks;
select tests.act_as('maya');
select lives_ok('delete from app.blocks', 'who has blocked does');
reset role;
select results_eq('select blocker_id from app.blocks', array[tests.id('lena')], 'and nothing else');

select * from finish();
