select plan(4);

select tests.person('lena', 2);
select tests.session('lena');
select tests.person('maya', 3);

create function pg_temp.exchange(p_proof jsonb)
returns jsonb
language sql
return gateway.invoke_as_service(
  'exchange_id_token', tests.claims('lena'), tests.sign_in(gen_random_uuid()::text) || p_proof
)::jsonb;

set local session authorization opine_gateway;
create temporary table answers as select pg_temp.exchange(jsonb_build_object('subjectHash', tests.hex('subject'))) as of_nobody;
set local role none;
select is(of_nobody -> 'merged', 'false', 'an anonymous identity takes no session over') from answers;
reset session authorization;
select is(ended_at, null, 'whose user lives on') from app.users where id = tests.id('lena');
set local session authorization opine_gateway;
select is(
  pg_temp.exchange(jsonb_build_object('phoneNumber', tests.phone_of('maya'))) #>> '{merged}', 'true', 'a proven phone does'
);
reset session authorization;
select isnt(ended_at, null, 'and its user ends') from app.users where id = tests.id('lena');

select * from finish();
