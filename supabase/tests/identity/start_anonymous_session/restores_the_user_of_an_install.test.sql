select plan(4);

create function pg_temp.open_app(p_install text, p_token text)
returns jsonb
language sql
return api.start_anonymous_session(tests.sign_in(p_token) || jsonb_build_object('deviceHash', tests.hex(p_install)));

create temporary table answers as
select install, token, pg_temp.open_app(install, token) as answer
from (values ('first', 'a'), ('first', 'b'), ('second', 'c')) as opened (install, token);

select is(
  (answer -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}', 'a new install is an anonymous user'
)
from answers where token = 'a';
select is(count(distinct answer -> 'user' ->> 'id')::integer, 1, 'the same install is the same user again') from answers where install = 'first';
select is(count(distinct answer -> 'user' ->> 'id')::integer, 2, 'another install is another user') from answers;
select is(count(distinct answer ->> 'sessionId')::integer, 3, 'each time a session begins') from answers;

select * from finish();
