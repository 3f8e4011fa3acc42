select plan(4);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.act_as('amara');
create temporary table answers as select api.change_hub_link(tests.in_hub('elm', '{"customLink": "elm-1"}')) as hub;
select is(hub ->> 'customLink', 'elm-1', 'of letters, digits and dashes') from answers;
select is(hub, app.hub_seen(tests.id('elm')), 'it answers the Hub') from answers;
select results_eq('select id from app.hubs where custom_link is not null', tests.ids('elm'), 'no other has one by that');
select is(
  tests.violation_of($$ select api.change_hub_link(tests.in_hub('ash', '{"customLink": "elm-1"}')) $$), 'hubs_custom_link_key', 'nor could have'
);

select * from finish();
