select plan(4);

select tests.elm();
select tests.hub('ash', 'jonas');
create function pg_temp.create(p_visibility text, variadic p_hubs text[])
returns jsonb
language sql
return api.create_post(jsonb_build_object('thoughtText', 'Trams', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs))));

select tests.act_as('jonas');
create temporary table answers as
select
  pg_temp.create('private_locked_hub', 'elm') as locked, pg_temp.create('private_locked_hub', 'elm', 'ash') as in_two, pg_temp.create('public_hub', 'elm') as public;
select is(locked -> 'hubs', jsonb_build_array(jsonb_build_object('id', tests.id('elm'), 'name', 'elm')), 'it is on the card') from answers;
select is(locked -> 'visibility', '"private_locked_hub"', 'a private post is private') from answers;
select is(
  jsonb_build_array(locked -> 'isShareable', in_two -> 'isShareable', public -> 'isShareable'), '[false, true, true]',
  'and shareable where it is in two; a public one always is'
)
from answers;
reset role;
select set_eq(
  'select post_id, hub_id from app.placements',
  $$
    select (locked ->> 'id')::uuid, tests.id('elm') from answers
    union all select (in_two ->> 'id')::uuid, unnest(tests.ids('elm', 'ash')) from answers
    union all select (public ->> 'id')::uuid, tests.id('elm') from answers
  $$,
  'each where it was meant to be'
);

select * from finish();
