select plan(5);

select tests.person('lena', 1);
select set_eq($$ select tests.who_may($s$ select api.register_device_token('{}') $s$) $$, array['authenticated'], 'it is for signed-in people');
select tests.act_as('lena');
select is(
  tests.error_of($$ select tests.register_device('phone') $$),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'who has no profile gets no push messages'
);
reset role;
select is_empty('select from app.device_tokens', 'nothing is kept');
insert into app.profiles (user_id, username, full_name) values (tests.id('lena'), 'lena', 'Lena');
select tests.act_as('lena');
select lives_ok($$ select tests.register_device('phone') $$, 'who has one does');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select tests.register_device('phone') $$, 'PT401', 'UNAUTHORIZED', 'as long as the session lives');

select * from finish();
