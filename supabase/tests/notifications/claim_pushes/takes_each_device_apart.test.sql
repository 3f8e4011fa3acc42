select plan(3);

select tests.person('maya');
select tests.device_token('phone', 'maya'), tests.device_token('tablet', 'maya');
select tests.notification('hers', 'maya'), tests.notification('another', 'maya');
insert into app.pushes (notification_id, token_hash, due_at)
select id, tests.hash(token), app.now() - interval '1 second' * (case token when 'phone' then 2 else 1 end) * (case id when tests.id('hers') then 10 else 1 end)
from unnest(tests.ids('hers', 'another')) as id
cross join unnest(array['phone', 'tablet']) as token;

select results_eq('select notification_id, token_hash from tests.claims(1)', $$ values (tests.id('hers'), tests.hash('phone')) $$, 'one');
select is(count(*), 3::bigint, 'the other waits, of the same notification') from app.pushes where attempt_count = 0;
select bag_eq(
  'select notification_id, token_hash from tests.claims(2)',
  $$ values (tests.id('hers'), tests.hash('tablet')), (tests.id('another'), tests.hash('phone')) $$, 'then the next'
);

select * from finish();
