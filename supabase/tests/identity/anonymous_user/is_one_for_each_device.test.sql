select plan(5);

create temporary table users as select * from app.anonymous_user(tests.hash('phone'));
select ok(is_new, 'a device that was never seen has a new user') from users;
select results_eq(
  $$ select * from app.anonymous_user(tests.hash('phone')) $$, 'select user_id, false from users', 'which it restores from then on'
);
select isnt((app.anonymous_user(tests.hash('tablet'))).user_id, user_id, 'another device has another') from users;
select app.end_user(user_id) from users;
select isnt((app.anonymous_user(tests.hash('phone'))).user_id, user_id, 'after that account ended the device begins anew') from users;
select is_empty($$ select tests.who_may('select app.anonymous_user(null)') $$, 'no role makes a user without a proof');

select * from finish();
