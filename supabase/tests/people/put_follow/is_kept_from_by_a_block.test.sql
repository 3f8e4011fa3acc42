select plan(4);

select tests.person(name) from unnest(array['maya', 'lena', 'ann']) as name;
select tests.block('maya', 'lena');
select tests.block('ann', 'maya');

select tests.act_as('maya');
select throws_ok($$ select app.put_follow(tests.id('lena')) $$, 'PT403', 'FORBIDDEN', 'nobody follows whom they have blocked');
select throws_ok($$ select app.put_follow(tests.id('ann')) $$, 'PT403', 'FORBIDDEN', 'nor who has blocked them');
reset role;
select is_empty('select from app.follows', 'nothing came of it');
select is_empty('select from app.events', 'that anybody would be told of');

select * from finish();
