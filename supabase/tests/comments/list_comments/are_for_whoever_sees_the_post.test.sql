select plan(10);

select tests.elm();
select tests.post('trams', 'lena');
select tests.comment('comment ' || n, 'jonas', 'trams') from generate_series(1, 31) as n;
select tests.comment('reply ' || n, 'jonas', 'trams', 'comment 1') from generate_series(1, 31) as n;
select tests.discussion('locked', 'jonas', 'elm');

select tests.act_as_guest();
select is(cardinality(tests.listed(api.list_comments(tests.arguments('trams')))), 30, 'a page has 30, for guests too');
select is(cardinality(tests.listed(api.list_comments(tests.arguments('trams') || '{"limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('list_comments', tests.arguments('trams') || '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_comments', tests.arguments('trams') || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(
  cardinality(tests.listed(api.list_comments(tests.arguments('trams') || jsonb_build_object('parentCommentId', tests.id('comment 1'))))), 30, 'so does one of a thread'
);
select is(tests.refusal('list_comments', tests.arguments('unknown')), 'POST_NOT_FOUND', 'no post has none');
select is(tests.refusal('list_comments', tests.arguments('locked')), 'POST_NOT_FOUND', 'nor one that is hidden');
select is(app.listed_comments('{}'), '[]', 'none are none');
select tests.act_as('maya');
select is(tests.refusal('list_comments', tests.arguments('locked')), 'FORBIDDEN', 'a private one is refused to its members');
select is(cardinality(tests.listed(api.list_comments(tests.arguments('trams')))), 30, 'who read others as anybody');

select * from finish();
