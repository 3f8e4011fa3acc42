select plan(5);

select tests.person('maya'), tests.person('jonas');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas'), tests.notification('malformed', 'maya', 'hub_post_created');
select tests.act_as('maya');
select lives_ok($$ select app.require_notification(tests.id('hers')) $$, 'one''s own');
select lives_ok($$ select app.require_notification(tests.id('malformed')) $$, 'also one that is hidden');
select throws_ok($$ select app.require_notification(tests.id('his')) $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'and no other');
select throws_ok($$ select app.require_notification(tests.id('none')) $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'nor what is not there');
reset role;
select set_eq($$ select tests.who_may('select app.require_notification(null)') $$, array['authenticated'], 'signed-in people ask');

select * from finish();
