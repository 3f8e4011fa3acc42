select plan(3);

select tests.person('lena', 1), tests.person('jonas');
select tests.notification('hers', 'lena'), tests.notification('another', 'lena'), tests.notification('his', 'jonas');
update app.notifications set read_at = app.now() where id = tests.id('another');
select tests.act_as('lena');
create temporary table answers as select api.stream_notifications('{}') as answer;
reset role;
select is(answer, jsonb_build_object('unreadCount', 1, 'inboxVersion', tests.inbox_version('lena')), 'the badge, and how new it is') from answers;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.stream_notifications('{}') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');
reset role;
select set_eq($$ select tests.who_may($s$ select api.stream_notifications('{}') $s$) $$, array['authenticated'], 'guests have no stream');

select * from finish();
