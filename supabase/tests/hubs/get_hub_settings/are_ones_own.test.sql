select plan(7);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.act_as('jonas');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": false}', 'at first nothing is muted');
select is(api.update_hub_settings(tests.in_hub('elm', '{"contentMuted": true}')), '{"contentMuted": true}', 'then it may be');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": true}', 'and stays');
select is(api.get_hub_settings(tests.in_hub('ash')), '{"contentMuted": false}', 'in that Hub alone');
select tests.act_as('amara');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": false}', 'and for nobody else');
select tests.act_as('jonas');
select is(api.update_hub_settings(tests.in_hub('elm', '{"contentMuted": false}')), '{"contentMuted": false}', 'until it is not');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": false}', 'any more');

select * from finish();
