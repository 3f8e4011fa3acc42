select plan(2);

select tests.elm();
insert into app.hub_profiles (user_id, display_name) values (tests.id('lena'), 'Lena of the elms');
select tests.act_as('jonas');
update app.profiles set full_name = 'Jonas Bo' where user_id = tests.id('jonas');
reset role;
select bag_eq(
  'select name from app.member_names', array['amara', 'maya', 'jonas', 'jonas bo', 'bo'], 'who is no member has no names in Hubs; who is changes their own'
);
update app.hub_profiles set display_name = null;
select lives_ok($$ delete from app.users where id = tests.id('jonas') $$, 'a user whose row is deleted takes their names along');

select * from finish();
