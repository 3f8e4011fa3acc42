select plan(8);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'former']) as name;
select tests.person('guest', 1);
select tests.follow('maya', 'jonas'); select tests.follow('maya', 'lena'); select tests.follow('maya', 'former');
select tests.block('ann', 'jonas');
select tests.block('lena', 'ann');
delete from app.profiles where user_id = tests.id('former');

select tests.act_as('guest');
select set_eq(
  $$ select unnest(tests.usernames(api.list_following(tests.user('maya')))) $$, array['jonas', 'lena'], 'a session is enough; who has no profile is not listed'
);
select is(
  tests.error_of($$ select api.list_following(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'of nobody there is no list'
);
select is(
  tests.error_of($$ select api.list_following(tests.user('maya') || '{"cursor": "?"}') $$) #>> '{details,issues,0,code}', 'invalid_cursor', 'nor behind a foreign cursor'
);
select is(
  tests.error_of($$ select api.list_following(tests.user('maya') || '{"limit": 101}') $$) #> '{details,issues,0,path}', '["limit"]', 'nor of more than 100'
);
select tests.act_as('ann');
select is(tests.usernames(api.list_following(tests.user('maya'))), '{}', 'those between whom and the caller stands a block are not listed');
select tests.act_as('jonas');
select is(
  tests.error_of($$ select api.list_following(tests.user('ann')) $$) ->> 'code', 'USER_NOT_FOUND', 'who has blocked the caller has no list for them'
);
select tests.act_as_guest();
select throws_ok($$ select api.list_following(tests.user('maya')) $$, '42501', null, 'a guest sees none');
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('ann')::text, true);
select throws_ok($$ select api.list_following(tests.user('maya')) $$, 'PT401', 'UNAUTHORIZED', 'nor does a dead session');

select * from finish();
