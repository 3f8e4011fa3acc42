select plan(14);

select tests.elm();
select tests.asset('picture', 'jonas');
select tests.post('trams', 'lena');
select tests.post('bikes', 'lena');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'root');
select tests.comment('other reply', 'amara', 'trams', 'root');
select tests.comment('alone', 'maya', 'bikes');
select tests.comment('other root', 'maya', 'trams');
select tests.comment('reply to it', 'amara', 'trams', 'other root');
update app.comments set asset_id = tests.id('picture') where id = tests.id('root');
create temporary table before as table app.trending_scores;

select ok(app.erase_comment(tests.id('root')), 'it was there');
select results_eq(
  $$ select author_id, body, asset_id, reply_count, parent_id from app.comments where id = tests.id('root') $$, 'values (null::uuid, null::text, null::uuid, 2, null::uuid)',
  'a root with replies stays, without author, text and picture'
);
select is_empty($$ select from app.events where comment_id = tests.id('root') $$, 'nobody is told of it');
select results_eq('select tests.to_be_removed()', tests.ids('picture'), 'the picture goes');
select ok(not app.erase_comment(tests.id('root')), 'it is deleted once');
select ok(not app.erase_comment(tests.id('unknown')), 'and what was never said not at all');
select is(comment_count, 4, 'and counts no more') from app.posts where id = tests.id('trams');
select app.erase_comment(tests.id('reply'));
select is(reply_count, 1, 'it loses a reply') from app.comments where id = tests.id('root');
select app.erase_comment(tests.id('reply to it'));
select is(reply_count, 0, 'a root that was not deleted too') from app.comments where id = tests.id('other root');
select app.erase_comment(tests.id('other reply'));
select set_eq(
  'select id from app.comments', tests.ids('alone', 'other root'), 'with its last reply a deleted root goes, and no other'
);
select app.erase_comment(tests.id('alone'));
select results_eq('select id, comment_count from app.posts order by comment_count', $$ values (tests.id('bikes'), 0), (tests.id('trams'), 1) $$, 'each post counts its own');
select results_eq('select comment_id from app.events where comment_id is not null', tests.ids('other root'), 'as of none that is gone');
select set_eq('table app.trending_scores', 'table before', 'trending scores keep what was deleted');
select is_empty($$ select tests.who_may('select app.erase_comment(null)') $$, 'no role erases past the operation');

select * from finish();
