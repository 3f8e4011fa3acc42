select plan(8);

select tests.person('maya');
select tests.person('jonas');
select tests.person('nameless', 1);
select tests.block('maya', 'jonas');

create function pg_temp.code(p_name text)
returns text[]
language sql
return array[
  tests.error_of(format('select api.get_profile(tests.user(%L))', p_name)) ->> 'code',
  tests.error_of(format('select api.get_profile_by_username(%L)', jsonb_build_object('username', p_name))) ->> 'code'
];

select tests.act_as_guest();
select is(api.get_profile(tests.user('maya')) ->> 'username', 'maya', 'a guest sees a person by id');
select is(api.get_profile_by_username('{"username": "maya"}') ->> 'id', tests.id('maya')::text, 'and by username');
select is(pg_temp.code('nobody'), '{USER_NOT_FOUND,USER_NOT_FOUND}', 'nobody is not found');
select is(pg_temp.code('nameless'), '{USER_NOT_FOUND,USER_NOT_FOUND}', 'nor who has no profile');
select tests.act_as('jonas');
select is(pg_temp.code('maya'), '{USER_NOT_FOUND,USER_NOT_FOUND}', 'nor who has blocked the caller');
select tests.act_as('maya');
select is(api.get_profile(tests.user('jonas')) #> '{viewer,blocking}', 'true', 'who has blocked sees whom');
select is(api.get_profile_by_username('{"username": "jonas"}') #> '{viewer,blocking}', 'true', 'by username, too');
select is(api.get_profile(tests.user('maya')) -> 'viewer' -> 'blocking', 'false', 'and oneself');

select * from finish();
