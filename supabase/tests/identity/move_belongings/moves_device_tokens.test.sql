select plan(3);

select tests.person('maya', 3);
select tests.session('maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.device_token('lena ' || n, 'lena', app.now() - n * interval '1 hour') from generate_series(1, 3) as n;
select tests.device_token('maya ' || n, 'maya', app.now() - n * interval '61 minutes') from generate_series(1, 3) as n;
select app.move_belongings(tests.id('lena'), tests.id('maya'));
delete from app.sessions where user_id = tests.id('lena');

select set_eq(
  'select token_hash from app.device_tokens',
  $$ select tests.hash(name) from unnest(array['lena 1', 'maya 1', 'lena 2', 'maya 2', 'lena 3']) as name $$,
  'device tokens outlive the session that they came with; the five refreshed last stay'
);
select set_eq('select user_id from app.device_tokens', array[tests.id('maya')], 'all are of the one person');
select set_eq(
  'select token_hash from app.device_tokens where session_id is null',
  $$ select tests.hash(name) from unnest(array['lena 1', 'lena 2', 'lena 3']) as name $$,
  'those that moved wait for the session that the sign-in opens'
);

select * from finish();
