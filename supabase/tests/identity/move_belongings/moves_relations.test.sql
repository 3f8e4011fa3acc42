select plan(2);

select tests.person(name, 2) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.follow('lena', 'jonas');
select tests.block('ann', 'lena');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['maya > jonas'], 'whom the other followed');
select results_eq('select blocker_id, blocked_id from app.blocks', $$ values (tests.id('ann'), tests.id('maya')) $$, 'and who had blocked them');

select * from finish();
