select plan(7);

select tests.person('guest', 1);
select tests.person('maya', 2);
select tests.person('jonas', 2);
select tests.asset('his photo', 'jonas', 'profile_photo');

create function pg_temp.error(p_args jsonb)
returns jsonb
language sql
return tests.error_of(format('select api.update_own_profile(%L)', p_args));

select tests.act_as('maya');
select is(tests.violation_of($$ select api.update_own_profile('{"username": "jonas"}') $$), 'profiles_username_key', 'the handle of somebody else');
select is(tests.violation_of($$ select api.update_own_profile('{"username": "admin"}') $$), 'profiles_username_is_not_reserved', 'a reserved one');
select is(
  pg_temp.error(jsonb_build_object('profileAssetId', tests.id('his photo'))) #>> '{details,issues,0,code}', 'unknown_asset', 'the photo of somebody else'
);
select is(
  pg_temp.error(jsonb_build_object('bio', repeat('b', 161))) ->> 'state', '23514', 'a long bio'
);
select is(bio, null, 'and what is refused changes nothing') from app.profiles where user_id = tests.id('maya');
select tests.act_as('guest');
select is(pg_temp.error('{"bio": "Hello"}') #>> '{details,requiredLevel}', '2', 'who has no profile has nothing to change');
select tests.act_as_guest();
select throws_ok($$ select api.update_own_profile('{}') $$, '42501', null, 'nor has a guest');

select * from finish();
