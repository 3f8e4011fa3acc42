select plan(4);

select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select tests.person('jonas', 3);

select tests.act_as_guest();
select results_eq('select user_id from app.default_feed_users', array[tests.id('maya')], 'everybody may read who they are');
select tests.act_as('jonas');
select throws_ok($$ insert into app.default_feed_users (user_id) values (tests.id('jonas')) $$, '42501', null, 'nobody puts themselves in');
select throws_ok('delete from app.default_feed_users', '42501', null, 'nor others out');
select throws_ok('update app.default_feed_users set added_at = added_at', '42501', null, 'nor changes one');

select * from finish();
