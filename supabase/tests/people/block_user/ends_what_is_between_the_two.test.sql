select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');

select tests.act_as('maya');
select is(api.block_user(tests.user('jonas')), '{"blocked": true}', 'the state is told');
reset role;
select set_eq(
  'select blocker_id, blocked_id, created_at from app.blocks', $$ values (tests.id('maya'), tests.id('jonas'), app.now()) $$, 'the block stands'
);
select set_eq('select tests.follows()', array['maya > lena', 'lena > jonas'], 'follows between the two end, both ways, and no others');
select tests.follow('maya', 'jonas');
select app.set_clock_offset('5 minutes');
select tests.act_as('maya');
select is(api.block_user(tests.user('jonas')), '{"blocked": true}', 'again it is the same');
reset role;
select results_eq('select created_at from app.blocks', 'values (now())', 'and stays of its time');

select * from finish();
