select plan(10);

select tests.person('maya');
select tests.notification('hers', 'maya'), tests.notification('another', 'maya');
update app.outbox set attempt_count = 3 where notification_id = tests.id('hers');
select app.postpone_hint(tests.id('hers'), 'XX000');
select is(attempt_count, 4, 'it is counted') from app.outbox where notification_id = tests.id('hers');
select ok(due_at between app.now() + 0.75 * interval '54 seconds' and app.now() + 1.25 * interval '54 seconds', 'and rests the longer')
from app.outbox where notification_id = tests.id('hers');
select results_eq(
  $$ select due_at, attempt_count from app.outbox where notification_id = tests.id('another') $$, 'values (app.now(), 0)', 'others do not'
);
update app.outbox set attempt_count = 8;
select app.postpone_hint(tests.id('hers'), 'XX000');
select is_empty('select from app.dead_letters', 'nine times is not too often');
select app.postpone_hint(tests.id('hers'), 'XX001');
select results_eq(
  'select notification_id, token_hash, attempt_count, failure, died_at from app.dead_letters',
  $$ values (tests.id('hers'), null::bytea, 10, 'XX001', app.now()) $$, 'ten times is: staff has to look'
);
select results_eq('select notification_id from app.outbox', tests.ids('another'), 'and it is tried no more');
insert into app.outbox (notification_id, attempt_count) values (tests.id('hers'), 11);
select app.postpone_hint(tests.id('hers'), 'XX002');
select is(count(*), 1::bigint, 'nor told of twice') from app.dead_letters;
delete from app.notifications;
update app.outbox set attempt_count = 9;
select app.postpone_hint(tests.id('another'), 'XX000');
select is_empty('select from app.dead_letters', 'what is gone needs nobody');
select is_empty('select from app.outbox', 'and is forgotten');
select is_empty($$ select tests.who_may('select app.postpone_hint(null, null)') $$, 'no role postpones');

select * from finish();
