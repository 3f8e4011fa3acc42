select plan(7);

select is(app.page_size('{}', 20, 50), 20, 'without a limit a page has the list''s usual size');
select is(app.page_size('{"limit": null}', 20, 50), 20, 'nothing is no limit');
select is(app.page_size('{"limit": 1}', 20, 50), 1, 'a page may have one item');
select is(app.page_size('{"limit": 50}', 20, 50), 50, 'and as many as the list allows');
select throws_ok($$ select app.page_size('{"limit": 51}', 20, 50) $$, 'PT422', 'VALIDATION_FAILED', 'but no more');
select throws_ok($$ select app.page_size('{"limit": 0}', 20, 50) $$, 'PT422', 'VALIDATION_FAILED', 'not none');
select throws_ok($$ select app.page_size('{"limit": -1}', 20, 50) $$, 'PT422', 'VALIDATION_FAILED', 'and not less than none');

select * from finish();
