select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'lena');
select tests.follow('lena', 'ann');

select tests.act_as('ann');
select set_eq('select tests.follows()', array['maya > jonas', 'jonas > lena', 'lena > ann'], 'a member sees who follows whom');
select tests.act_as_guest();
select throws_ok('select from app.follows', '42501', null, 'a guest does not');
reset role;

select tests.block('ann', 'jonas');
select tests.act_as('ann');
select set_eq('select tests.follows()', array['lena > ann'], 'nor a member what is about somebody whom they have blocked, on either side');
select tests.act_as('jonas');
select set_eq('select follower_id from app.follows', array[tests.id('maya'), tests.id('jonas')], 'nor what is about somebody who has blocked them');
select tests.act_as('maya');
select set_eq('select tests.follows()', array['maya > jonas', 'jonas > lena', 'lena > ann'], 'others see it as before');

select * from finish();
