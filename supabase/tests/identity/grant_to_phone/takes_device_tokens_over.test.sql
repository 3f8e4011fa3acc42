select plan(5);

select tests.person('maya', 3);
select tests.session('maya');
select tests.device_token('tablet', 'maya');
select tests.person('lena', 2);
select tests.session('lena');
select tests.device_token('phone', 'lena');
select tests.person('jonas', 3);
select tests.device_token('his', 'jonas');

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
create temporary table answers as select app.grant_to_phone(tests.phone_of('maya'), tests.sign_in('token')) as answer;
select is(answer -> 'merged', 'true', 'the session is merged') from answers;
select results_eq(
  $$ select user_id, session_id::text from app.device_tokens where token_hash = tests.hash('phone') $$,
  $$ select tests.id('maya'), answer ->> 'sessionId' from answers $$,
  'its device token goes with the session that is opened'
);
select results_eq(
  $$ select session_id from app.device_tokens where token_hash = tests.hash('tablet') $$, array[tests.id('session of maya')],
  'others stay with theirs'
);
select is(session_id, null, 'so do those of others') from app.device_tokens where token_hash = tests.hash('his');
select is_empty($$ select tests.who_may($s$ select app.grant_to_phone('', '{}') $s$) $$, 'no role gives a session to a phone of its choice');

select * from finish();
