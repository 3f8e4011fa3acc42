select plan(4);

select tests.elm();
select tests.discussion('locked', 'jonas', 'elm');
select tests.act_as('maya');
select is((app.require_post(tests.id('locked'))).thought_text, 'locked', 'a post');
select throws_ok($$ select app.require_post(tests.id('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'that is there');
select throws_ok('select app.require_post(null)', 'PT404', 'POST_NOT_FOUND', 'and named');
select tests.act_as_guest();
select throws_ok($$ select app.require_post(tests.id('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'and not hidden');

select * from finish();
