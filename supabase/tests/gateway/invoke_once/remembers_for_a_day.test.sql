select plan(4);

select tests.person('maya', 3);
select tests.session('maya');

create function pg_temp.is_replay()
returns boolean
language sql
return (gateway.invoke_once(
  'create_post', tests.claims('maya') || '{"exp": 9999999999}', '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'fingerprint'
)).is_replayed;

select ok(not pg_temp.is_replay(), 'the first request runs');
select app.set_clock_offset('23 hours 59 minutes 59 seconds');
select ok(pg_temp.is_replay(), 'for a day it is replayed');
select app.set_clock_offset('24 hours');
select ok(not pg_temp.is_replay(), 'then the key is free again');
select ok(pg_temp.is_replay(), 'and stands for the later request');

select * from finish();
