select plan(5);

select tests.elm();
select is(tests.refusals('update_hub', tests.in_hub('elm', '{"name": "Oak"}')), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'name and description');
select is(
  tests.refusals('update_hub', tests.in_hub('elm', '{"profileAssetId": null}')), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'and the photo'
);
select is(
  tests.refusals('change_hub_link', tests.in_hub('elm', '{"customLink": "oak"}')), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'as is the link'
);
select is(tests.refusals('update_hub', tests.in_hub('ash', '{"name": "Oak"}')), tests.everybody('HUB_NOT_FOUND'), 'of no Hub there is one');
select is(tests.refusals('change_hub_link', tests.in_hub('ash', '{"customLink": "oak"}')), tests.everybody('HUB_NOT_FOUND'), 'nor a link');

select * from finish();
