select plan(11);

select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.hub('oak', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');
select tests.act_as('lena');
select is(
  tests.listed(api.list_my_hubs('{}')), tests.ids('elm'), 'below level 4 the list holds the Hubs that the caller is invited to'
);
reset role;
update app.users set phone = null, phone_verified_at = null where id = tests.id('lena');
select tests.act_as('lena');
select is(api.list_my_hubs('{}'), '{"items": [], "nextCursor": null}', 'without a verified phone the list is empty');
reset role;
update app.users set phone = '+12025559999', phone_verified_at = app.now(), contacts_synced_at = app.now() where id = tests.id('lena');
select is(tests.refusal_of(null, $$ select api.list_my_hubs('{}') $$), '42501', 'a guest has no list');
delete from app.hubs where id = tests.id('oak');
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
