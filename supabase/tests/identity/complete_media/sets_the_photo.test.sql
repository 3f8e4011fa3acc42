select plan(6);

select tests.person('maya', 2);
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('picture', 'maya');

create function pg_temp.complete(p_args jsonb)
returns jsonb
language sql
return api.complete_media(p_args) -> 'profile' -> 'editable' -> 'profileAssetId';

select tests.act_as('maya');
select is(
  tests.error_of($$ select api.complete_media(jsonb_build_object('profileAssetId', tests.id('picture'))) $$) #> '{details,issues,0,path}',
  '["profileAssetId"]', 'what is no profile photo is refused'
);
select is(media_completed_at, null, 'and the step is not done') from app.users;
select is(
  pg_temp.complete(jsonb_build_object('profileAssetId', tests.id('face'))), to_jsonb(tests.id('face')), 'a photo is shown on the profile'
);
select is(pg_temp.complete('{"profileAssetId": null}'), to_jsonb(tests.id('face')), 'to go on without another takes none away');
select is(pg_temp.complete('{}'), to_jsonb(tests.id('face')), 'nor does to say nothing');
reset role;
select is_empty('select tests.to_be_removed()', 'and nothing is removed');

select * from finish();
