select plan(5);

create function pg_temp.exchange(p_name text)
returns jsonb
language sql
return api.exchange_id_token(tests.sign_in(gen_random_uuid()::text) || jsonb_build_object('phoneNumber', tests.phone_of(p_name)));

select tests.person('maya', 3);
create temporary table answers as select pg_temp.exchange('maya') as known, pg_temp.exchange('jonas') as unknown;
select is(known -> 'user' ->> 'id', tests.id('maya')::text, 'a token of a known phone is its user''s') from answers;
select is(known -> 'isNewUser', 'false', 'who is not new') from answers;
select is(unknown -> 'isNewUser', 'true', 'a token of an unknown phone makes a user') from answers;
select is(unknown -> 'merged', 'false', 'nothing is merged without a session') from answers;
select is(u.phone::text, tests.phone_of('jonas'), 'whose phone is proven')
from answers
join app.users as u on u.id = (unknown -> 'user' ->> 'id')::uuid;

select * from finish();
