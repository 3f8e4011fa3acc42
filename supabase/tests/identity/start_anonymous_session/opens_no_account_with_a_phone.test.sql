select plan(2);

create function pg_temp.open_app(p_token text)
returns uuid
language sql
return (api.start_anonymous_session(
  tests.sign_in(p_token) || jsonb_build_object('deviceHash', tests.hex('install'))
) -> 'user' ->> 'id')::uuid;

create temporary table openings as select pg_temp.open_app('before') as before;
select app.sign_in_with_phone(tests.phone_of('maya'), before) from openings;
select is(phone::text, tests.phone_of('maya'), 'the anonymous user has verified a phone') from app.users join openings on id = before;
select isnt(pg_temp.open_app('after'), before, 'from then on the install alone opens another user') from openings;

select * from finish();
