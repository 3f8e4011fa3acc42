select plan(7);

select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 21) as n;
select is(tests.refusals('get_hub_feed', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'an outsider reads none');
select is(tests.refusals('get_hub_feed', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is any');
select tests.act_as('maya');
select is(cardinality(tests.listed(api.get_hub_feed(tests.in_hub('elm')))), 20, 'a page has 20');
select is(cardinality(tests.listed(api.get_hub_feed(tests.in_hub('elm', '{"limit": 50}')))), 21, 'or up to 50');
select is(tests.refusal('get_hub_feed', tests.in_hub('elm', '{"limit": 51}')), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('get_hub_feed', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'it follows no foreign cursor');
reset role;
select results_eq('select user_id from app.memberships where seen_at is not null', tests.ids('maya'), 'whoever reads has used the Hub');

select * from finish();
