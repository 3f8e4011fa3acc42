select plan(7);

select tests.elm();
select tests.asset(name, 'amara', 'hub_photo') from unnest(array['first', 'second']) as name;
select tests.hub('ash', 'amara');

create function pg_temp.change(p_args jsonb)
returns jsonb
language sql
as $$
  select jsonb_build_array(hub -> 'name', hub -> 'description', right(hub ->> 'profilePhotoUrl', 36))
  from api.update_hub(tests.in_hub('elm', p_args)) as hub
$$;

select tests.act_as('amara');
select is(pg_temp.change('{"name": "Elms", "description": "Trees"}'), '["Elms", "Trees", null]', 'name and description');
select is(
  pg_temp.change(jsonb_build_object('profileAssetId', tests.id('first'))), jsonb_build_array('Elms', 'Trees', tests.id('first')), 'the photo alone'
);
select is(pg_temp.change('{"description": null}'), jsonb_build_array('Elms', '', tests.id('first')), 'null takes the description away');
select is(pg_temp.change('{"name": "Elm"}'), jsonb_build_array('Elm', '', tests.id('first')), 'what is not given stays');
select is(pg_temp.change('{"profileAssetId": null}'), '["Elm", "", null]', 'null takes the photo away');
select is(
  api.update_hub(tests.in_hub('elm', '{"name": "Elm"}')), app.hub_seen(tests.id('elm')), 'it answers the Hub'
);
select is(name, 'ash', 'and changes no other') from app.hubs where id = tests.id('ash');

select * from finish();
