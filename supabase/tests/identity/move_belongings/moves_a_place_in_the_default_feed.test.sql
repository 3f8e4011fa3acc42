select plan(3);

select tests.person(name, 2) from unnest(array['ann', 'lena', 'maya', 'jonas']) as name;
insert into app.default_feed_users (user_id, added_at) values (tests.id('lena'), app.now() - interval '1 day');
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  'select user_id, app.now() - added_at from app.default_feed_users where user_id <> tests.id(''jonas'')', $$ values (tests.id('maya'), interval '1 day') $$, 'the place moves'
);
insert into app.default_feed_users (user_id) values (tests.id('ann'));
select app.move_belongings(tests.id('ann'), tests.id('maya'));
select is(app.now() - added_at, interval '1 day', 'who has one keeps it') from app.default_feed_users where user_id = tests.id('maya');
select isnt_empty($$ select from app.default_feed_users where user_id = tests.id('jonas') $$, 'and so does everybody else');

select * from finish();
