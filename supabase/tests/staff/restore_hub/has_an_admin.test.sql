select plan(4);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_hub(tests.id('elm'), 'hate'), staff.suspend_hub(tests.id('oak'), 'hate');
reset session authorization;
select app.end_user(tests.id('amara')), app.end_user(tests.id('lena'));
select is_empty($$ select from app.suspended_memberships where user_id = tests.id('amara') $$, 'who ends their account does not come back');
set local session authorization nina;
select staff.restore_hub(tests.id('elm'), 'a mistake'), staff.restore_hub(tests.id('oak'), 'a mistake');
reset session authorization;
select results_eq(
  $$ select user_id from app.memberships where hub_id = tests.id('elm') and role = 'admin' $$, array[tests.id('maya')], 'another admin follows'
);
select isnt(closed_at, null, 'where nobody is left it closes') from app.hubs where id = tests.id('oak');
select is(closed_at, null, 'and nowhere else') from app.hubs where id = tests.id('elm');

select * from finish();
