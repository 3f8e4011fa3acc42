select plan(2);

select tests.person('maya', 2);
select tests.session('maya');

create function pg_temp.is_replay()
returns boolean
language sql
return (gateway.invoke_once(
  'create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'fingerprint'
)).is_replayed;

select throws_ok('select pg_temp.is_replay()', 'PT403', 'FORBIDDEN', 'who lacks the level is refused');
update app.users set phone = tests.phone_of('maya'), phone_verified_at = app.now(), media_completed_at = app.now();
select ok(not pg_temp.is_replay(), 'once they have it, the same request with the same key runs');

select * from finish();
