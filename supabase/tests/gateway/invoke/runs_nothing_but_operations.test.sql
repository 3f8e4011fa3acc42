select plan(8);

select tests.person('maya', 4);
select tests.session('maya');
set local session authorization opine_gateway;

select throws_ok(
  format('select gateway.invoke(%L, tests.claims(%L), %L)', forged, 'maya', '{}'),
  '42883', null, 'no operation is called ' || forged
)
from unnest(array[
  '"; drop table app.posts; --',
  'get_post"($1); drop table app.posts; select api."get_post',
  'app.end_user',
  'app"."end_user',
  '"api"."get_post"',
  'pg_sleep',
  'GET_POST',
  ''
]) as forged
where forged <> '';
select throws_ok(
  $$ select gateway.invoke('', tests.claims('maya'), '{}') $$, '42601', null, 'an operation without a name is none'
);

select * from finish();
