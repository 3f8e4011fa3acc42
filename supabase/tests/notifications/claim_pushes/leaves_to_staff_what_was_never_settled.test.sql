select plan(4);

select tests.person('maya');
select tests.device_token('phone', 'maya');
select tests.notification(name, 'maya') from unnest(array['often', 'too often', 'under way']) as name;
insert into app.pushes (notification_id, token_hash, due_at, attempt_count)
values
  (tests.id('often'), tests.hash('phone'), app.now(), 9), (tests.id('too often'), tests.hash('phone'), app.now(), 10),
  (tests.id('under way'), tests.hash('phone'), app.now() + interval '1 second', 10);

select results_eq('select notification_id from tests.claims(10)', tests.ids('often'), 'who took it ten times took it once too often');
select results_eq(
  'select notification_id, token_hash, attempt_count, failure from app.dead_letters',
  $$ values (tests.id('too often'), tests.hash('phone'), 10, 'unsettled') $$, 'staff has to look'
);
select bag_eq('select notification_id from app.pushes', tests.ids('often', 'under way'), 'and it is tried no more');
delete from app.dead_letters;
update app.pushes set due_at = app.now(), attempt_count = 10;
select app.claim_pushes(1);
select is(count(*), 1::bigint, 'so many at once') from app.dead_letters;

select * from finish();
