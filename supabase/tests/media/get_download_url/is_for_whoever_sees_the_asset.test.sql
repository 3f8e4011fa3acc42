select plan(8);

select tests.person('maya', 3);
select tests.person('jonas', 1);
select tests.asset('paper', 'maya', 'document');
select tests.asset('face', 'maya', 'profile_photo');
update app.assets set file_name = 'minutes.pdf';

create function pg_temp.download(p_name text)
returns jsonb
language sql
return api.get_download_url(jsonb_build_object('assetId', tests.id(p_name)));

select tests.act_as('maya');
select is(
  pg_temp.download('paper'), jsonb_build_object(
    'bucket', 'media', 'fileName', 'minutes.pdf', 'expiresAt', app.iso(app.now() + interval '5 minutes')
  ),
  'its owner gets it for five minutes'
);
select is(pg_temp.download('face') - 'expiresAt', '{"bucket": "photos", "fileName": null}', 'a picture is no file with a name');
select tests.act_as('jonas');
select is(
  tests.error_of($$ select pg_temp.download('paper') $$), '{"state": "PT404", "code": "ASSET_NOT_FOUND", "details": null}',
  'for others it is not there'
);
select is(tests.error_of($$ select pg_temp.download('nothing') $$) ->> 'code', 'ASSET_NOT_FOUND', 'as what is not');
reset role;
select tests.illustrated_post('minutes', 'maya', 'paper');
select tests.act_as('jonas');
select is(pg_temp.download('paper') ->> 'fileName', 'minutes.pdf', 'unless a post shows it to them');
reset role;
select tests.block('maya', 'jonas');
select tests.act_as('jonas');
select is(tests.error_of($$ select pg_temp.download('paper') $$) ->> 'code', 'ASSET_NOT_FOUND', 'which ends with a block');
select tests.act_as_guest();
select throws_ok($$ select api.get_download_url('{}') $$, '42501', null, 'a guest gets none');
reset role;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok($$ select pg_temp.download('paper') $$, 'PT401', 'UNAUTHORIZED', 'nor does a dead session');

select * from finish();
