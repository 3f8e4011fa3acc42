select plan(5);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.notification('seen', 'jonas', p_actor => 'lena'), tests.notification('in elm', 'jonas', 'hub_role_changed', 'amara', 'elm');
select tests.notification('in oak', 'jonas', 'hub_role_changed', 'amara', 'oak'), tests.notification('of maya', 'jonas', p_actor => 'maya');
select tests.notification('read before', 'jonas', p_actor => 'lena'), tests.notification('to lena', 'lena', p_actor => 'jonas');
select tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
select tests.block('maya', 'jonas');
update app.notifications set read_at = app.now() - interval '1 day' where id = tests.id('read before');

select is(tests.reads('jonas'), 2::bigint, 'how many were unread');
select bag_eq(
  'select id, read_at from app.notifications where read_at is not null',
  $$ values (tests.id('seen'), app.now()), (tests.id('in elm'), app.now()), (tests.id('read before'), app.now() - interval '1 day') $$,
  'all that somebody sees, and nothing that is hidden from them, or another''s'
);
select is(tests.reads('jonas'), 0::bigint, 'once');
select tests.membership('oak', 'jonas');
select is(tests.unread('jonas'), 1, 'what shows later is unread');
select is_empty($$ select tests.who_may('select app.mark_all_read()') $$, 'no role asks by itself');

select * from finish();
