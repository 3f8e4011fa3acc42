select plan(9);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');

select tests.act_as('maya');
select set_eq('select blocked_id from app.blocks', array[tests.id('jonas')], 'one sees whom one has blocked, and not by whom one is blocked');
select throws_ok(
  $$ insert into app.blocks (blocker_id, blocked_id) values (tests.id('maya'), tests.id('lena')) $$, '42501', null,
  'a block is made by app.put_block alone, which ends follows'
);
select throws_ok($$ update app.blocks set blocked_id = tests.id('lena') $$, '42501', null, 'and stays of whom it is');
select tests.act_as('jonas');
select is_empty('select from app.blocks', 'who is blocked is not told');
delete from app.blocks;
select tests.act_as_guest();
select throws_ok('select from app.blocks', '42501', null, 'nor is a guest');
select throws_ok('delete from app.blocks', '42501', null, 'who takes back none');
reset role;
select is(count(*)::integer, 2, 'who is blocked takes back nothing') from app.blocks;
select tests.act_as('maya');
select lives_ok('delete from app.blocks', 'who has blocked does');
reset role;
select results_eq('select blocker_id from app.blocks', array[tests.id('lena')], 'and nothing else');

select * from finish();
