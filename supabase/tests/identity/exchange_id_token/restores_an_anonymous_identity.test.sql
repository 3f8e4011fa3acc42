select plan(4);

create function pg_temp.exchange(p_subject text)
returns jsonb
language sql
return api.exchange_id_token(tests.sign_in(gen_random_uuid()::text) || jsonb_build_object('subjectHash', tests.hex(p_subject)));

create temporary table answers as
select pg_temp.exchange('subject') as first, pg_temp.exchange('subject') as again, pg_temp.exchange('another') as another;
select is((first - 'user') ->> 'isNewUser', 'true', 'an anonymous identity is a new user once') from answers;
select is(
  array[again -> 'user' ->> 'id', again ->> 'isNewUser', again ->> 'merged'], array[first -> 'user' ->> 'id', 'false', 'false'],
  'and the same user from then on'
)
from answers;
select isnt(another -> 'user' ->> 'id', first -> 'user' ->> 'id', 'another identity is another user') from answers;
select is((first -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}', 'who is anonymous') from answers;

select * from finish();
