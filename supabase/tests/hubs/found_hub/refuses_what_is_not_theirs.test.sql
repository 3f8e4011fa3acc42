select plan(8);

select tests.person('amara', 4);
select tests.person('maya', 4);
select tests.person('jonas', 3);
select tests.asset('leaves', 'maya', 'hub_photo');
select tests.asset('face', 'amara', 'profile_photo');

create function pg_temp.refusal_of(p_caller text, p_link text, p_photo text)
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.found_hub(%L, null, %L, tests.id(%L))', 'Elm', p_link, p_photo)) $$;

select is(pg_temp.refusal_of('jonas', 'elm', null), 'PT403 FORBIDDEN', 'who is not Hub-ready founds none');
select is(pg_temp.refusal_of(null, 'elm', null), '42501', 'nor does a guest');
select is(pg_temp.refusal_of('amara', 'elm', 'leaves'), 'PT422 VALIDATION_FAILED', 'a photo is the founder''s own');
select is(pg_temp.refusal_of('amara', 'elm', 'face'), 'PT422 VALIDATION_FAILED', 'and uploaded for Hubs');
select tests.act_as('amara');
select is(
  tests.error_of($$ select app.found_hub('Elm', null, null, tests.id('leaves')) $$) #> '{details,issues,0,path}', '["profileAssetId"]', 'the answer names it'
);
reset role;
select is_empty('select from app.hubs', 'nothing is founded');
select pg_temp.refusal_of('maya', 'elm', 'leaves');
select is(pg_temp.refusal_of('amara', 'elm', null), '23505', 'a custom link is one Hub''s');
select set_eq($$ select tests.who_may('select app.found_hub(null, null, null, null)') $$, array['authenticated'], 'who has a session founds');

select * from finish();
