select plan(5);

select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 31) as n;
insert into app.saved_discussions (user_id, discussion_id) select tests.id('maya'), d.id from app.discussions as d;
select is(tests.refusals('list_saved_discussions', '{}'), tests.below_level_4(), 'who may be in no Hub has none');
select tests.act_as('maya');
select is(cardinality(tests.listed(api.list_saved_discussions('{}'))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.list_saved_discussions('{"limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('list_saved_discussions', '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_saved_discussions', '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');

select * from finish();
