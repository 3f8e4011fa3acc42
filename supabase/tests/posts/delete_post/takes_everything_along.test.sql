select plan(11);

select tests.person('maya', 3);
select tests.article('about trams', 'maya');
insert into app.posts (id, author_id, article_id, slider_text, left_label, right_label, visibility)
values (tests.id('trams'), tests.id('maya'), tests.id('about trams'), 'More trams?', 'No', 'Yes', 'public');
select tests.vote('maya', 'trams', 'right');
select tests.illustrated_post('kept', 'maya', 'picture') from tests.asset('picture', 'maya');

select tests.person('jonas', 3);
select tests.comment('hello', 'jonas', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.repost('repost', 'jonas', 'trams');
insert into app.saved_posts (user_id, post_id) values (tests.id('jonas'), tests.id('trams'));
insert into app.reports (reporter_id, post_id, reason) values (tests.id('jonas'), tests.id('trams'), 'spam');

select tests.act_as('maya');
select is(api.delete_post(tests.arguments('trams')), '{}', 'an author deletes their post');
reset role;
select set_eq(
  'select id, source_post_id from app.posts', $$ values (tests.id('repost'), tests.id('trams')), (tests.id('kept'), null) $$, 'the post is gone; a repost stays one'
);
select results_eq('select id from app.articles', array[tests.id('article of kept')], 'with its article');
select is_empty('select from app.vote_receipts', 'its receipts');
select is_empty('select from app.vote_pools', 'and its pools');

select is_empty('select from app.comments', 'what was said under it');
select is_empty('select from app.feed_shares union all select from app.saved_posts', 'where it was shared and saved');
select results_eq('select post_id from app.reports', tests.ids('trams'), 'but not that it was reported');
select is_empty($$ select from app.feed_events where post_id = tests.id('trams') $$, 'its place in feeds');
select is_empty($$ select from app.score_changes union all select from app.trending_scores union all select from app.events where post_id = tests.id('trams') $$, 'and all news of it');

select isnt_empty('select from app.assets', 'another post keeps what it has');

select * from finish();
