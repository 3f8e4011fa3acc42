select plan(5);

select tests.person('maya', 3);
select tests.person('lena', 2);
update app.users set device_hash = tests.hash('install') where id = tests.id('lena');
select tests.session('lena');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select results_eq(
  $$ select ended_at, device_hash from app.users where id = tests.id('lena') $$, 'values (app.now(), null::bytea)',
  'the anonymous account ends, and lets go of its device'
);
select is_empty('select from app.sessions', 'its sessions end');
select is(ended_at, null, 'the other goes on') from app.users where id = tests.id('maya');
select results_eq(
  'select user_id, merged_into_id from app.departures', $$ values (tests.id('lena'), tests.id('maya')) $$, 'what comes late is moved'
);
select is_empty($$ select tests.who_may('select app.merge_user(null, null)') $$, 'no role merges anybody');

select * from finish();
