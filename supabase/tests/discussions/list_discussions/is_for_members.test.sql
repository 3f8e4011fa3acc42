select plan(6);

select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 31) as n;
select is(tests.refusals('list_discussions', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'an outsider sees none');
select is(tests.refusals('list_discussions', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are any');
select tests.act_as('jonas');
select is(cardinality(tests.listed(api.list_discussions(tests.in_hub('elm')))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.list_discussions(tests.in_hub('elm', '{"limit": 100}')))), 31, 'or up to 100');
select is(tests.refusal('list_discussions', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_discussions', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'it follows no foreign cursor');

select * from finish();
