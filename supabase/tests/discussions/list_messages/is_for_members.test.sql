select plan(7);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('message ' || n, 'jonas', 'trams in elm') from generate_series(1, 31) as n;
create temporary table args as select tests.in_discussion('trams in elm') as args;
grant select on args to public;

select is(tests.refusals('list_messages', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'an outsider reads none') from args;
select is(tests.refusals('list_messages', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are any') from args;
select tests.act_as('maya');
select is(cardinality(tests.listed(api.list_messages(args))), 30, 'a page has 30') from args;
select is(cardinality(tests.listed(api.list_messages(args || '{"limit": 100}'))), 31, 'or up to 100') from args;
select is(tests.refusal('list_messages', args || '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more') from args;
select is(tests.refusal('list_messages', args || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor') from args;
select is(app.listed_messages(tests.id('elm'), '{}'), '[]', 'none are none');

select * from finish();
