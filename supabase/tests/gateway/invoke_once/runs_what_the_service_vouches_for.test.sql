select plan(7);

select tests.person('maya', 1);
select tests.session('maya');
select tests.open_upload('picture', 'maya');

create function pg_temp.complete(p_args jsonb, p_key text, p_as_service boolean, out answer text, out is_replayed boolean)
language sql
return gateway.invoke_once('complete_upload', tests.claims('maya'), tests.completion('picture') || p_args, p_key, 'f', p_as_service);

set local session authorization opine_gateway;
create temporary table looks as
select gateway.invoke_as_service('complete_upload', tests.claims('maya'), tests.completion('picture'))::jsonb #>> '{upload,assetId}' as asset_id;
set local role none;
create temporary table answers as
select 1 as request, done.* from looks, pg_temp.complete(tests.found(asset_id), 'key', true) as done;
insert into answers select 2, done.* from looks, pg_temp.complete(tests.found(asset_id), 'key', true) as done;
select is(answer::jsonb ->> 'assetId', asset_id, 'the service completes in the name of the caller') from answers, looks where request = 1;
select ok(not is_replayed, 'once') from answers where request = 1;
select ok(is_replayed, 'and replays the answer') from answers where request = 2;
select is(count(distinct answer)::integer, 1, 'which is the same') from answers;
select throws_ok($$ select pg_temp.complete('{}', 'other', false) $$, '42501', null, 'as the caller it is not run');
select throws_ok(
  $$ select gateway.invoke_once('complete_upload', null, tests.completion('picture'), 'key', 'f', true) $$, 'PT401', 'UNAUTHORIZED', 'nor for a guest'
);
reset session authorization;
select results_eq('select owner_id from app.assets', array[tests.id('maya')], 'the asset is the caller''s');

select * from finish();
