select plan(5);

select tests.person('maya');
select tests.log_in_as('nina', 'staff_admin');
select staff.add_default_feed_user('Maya', 'writes well'), staff.add_default_feed_user('maya', 'still does');
select results_eq('select username collate "default" from staff.default_feed_users', array['maya'], 'maya is shown to whoever follows nobody');
select throws_ok($$ select staff.add_default_feed_user('nobody', 'x') $$, 'PT404', 'USER_NOT_FOUND', 'nobody else can be');
select staff.remove_default_feed_user('maya', 'has asked for it');
select is_empty('select from staff.default_feed_users', 'then no more');
select throws_ok($$ select staff.remove_default_feed_user('maya', 'x') $$, 'PT404', 'USER_NOT_FOUND', 'nor can who is none be taken away');
reset session authorization;
select bag_eq(
  'select action from staff.audit_log', array['add_default_feed_user', 'add_default_feed_user', 'remove_default_feed_user'], 'and that is written down'
);

select * from finish();
