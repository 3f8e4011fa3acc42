select plan(9);

select tests.elm();
select is(tests.refusals('list_my_hubs', '{}'), tests.below_level_4(), 'who may be in none has no list');
select tests.hub('hub ' || n, 'lena') from generate_series(1, 31) as n;
select tests.act_as('lena');
select is(cardinality(tests.listed(api.list_my_hubs('{}'))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.list_my_hubs('{"limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('list_my_hubs', '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_my_hubs', '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(tests.refusal('list_my_hubs', '{"cursor": "3?"}'), 'VALIDATION_FAILED', 'however that begins');
select is(
  tests.refusal('list_my_hubs', jsonb_build_object('cursor', app.encode_cursor(app.now(), tests.id('elm')))), 'VALIDATION_FAILED', 'that of another list is foreign'
);
select is(
  tests.refusal('list_my_hubs', jsonb_build_object('cursor', '4' || app.encode_cursor(app.now(), tests.id('elm')))), 'VALIDATION_FAILED', 'there is no fourth part'
);
reset role;
select tests.person('new', 4);
select tests.act_as('new');
select is(api.list_my_hubs('{}'), '{"items": [], "nextCursor": null}', 'it may be empty');

select * from finish();
