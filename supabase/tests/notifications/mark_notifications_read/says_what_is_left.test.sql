select plan(11);

select tests.elm();
select tests.notification('one', 'jonas', p_actor => 'lena'), tests.notification('two', 'jonas', p_actor => 'lena'), tests.notification('three', 'jonas', p_actor => 'lena');
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.block('maya', 'jonas');
create function pg_temp.marks(p_name text)
returns jsonb
language sql
return api.mark_notifications_read(jsonb_build_object('notificationId', tests.id(p_name)));

select tests.act_as('jonas');
select is(pg_temp.marks('one'), '{"updated": 1, "unreadCount": 2}', 'one');
select is(pg_temp.marks('one'), '{"updated": 0, "unreadCount": 2}', 'that is read already');
select is(pg_temp.marks('of maya'), '{"updated": 0, "unreadCount": 2}', 'or hidden');
select throws_ok($$ select pg_temp.marks('to lena') $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'what is another''s is not found');
select throws_ok($$ select pg_temp.marks('nothing') $$, 'PT404', 'NOTIFICATION_NOT_FOUND', 'nor what is not there');
select is(
  tests.error_of($$ select api.mark_notifications_read('{}') $$),
  '{
    "state": "PT422", "code": "VALIDATION_FAILED",
    "details": {"issues": [{"path": [], "code": "invalid_union", "message": "Either notificationId or all is to be given."}]}
  }',
  'which, has to be said'
);
select throws_ok($$ select api.mark_notifications_read('{"all": false}') $$, 'PT422', 'VALIDATION_FAILED', 'and said so');
select is(api.mark_notifications_read('{"all": true}'), '{"updated": 2, "unreadCount": 0}', 'or all');
reset role;
select tests.person('tom', 1);
select tests.act_as('tom');
select is(api.mark_notifications_read('{"all": true}'), '{"updated": 0, "unreadCount": 0}', 'anybody, whose session lives');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.mark_notifications_read('{"all": true}') $$, 'PT401', 'UNAUTHORIZED', 'while it does');
reset role;
select set_eq($$ select tests.who_may($s$ select api.mark_notifications_read('{}') $s$) $$, array['authenticated'], 'and no guest');

select * from finish();
