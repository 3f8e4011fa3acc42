select plan(5);

select tests.elm();
select is(tests.refusals('search_hubs', '{"q": "elm"}'), '{"guest": "not theirs", "signed out": "UNAUTHORIZED"}', 'guests search none');
insert into app.hubs (name) select 'Elm ' || n from generate_series(1, 30) as n;
select tests.act_as('lena');
select is(cardinality(tests.listed(api.search_hubs('{"q": "elm"}'))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.search_hubs('{"q": "elm", "limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('search_hubs', '{"q": "elm", "limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('search_hubs', '{"q": "elm", "cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');

select * from finish();
