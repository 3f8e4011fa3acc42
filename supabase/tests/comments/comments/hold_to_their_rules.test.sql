select plan(21);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'jonas');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'root');

create function pg_temp.violation(p_author uuid, p_body text, p_asset uuid, p_parent uuid default null)
returns text
language sql
return tests.violation_of(format(
  'insert into app.comments (post_id, author_id, body, asset_id, parent_id) values (%L, %L, %L, %L, %L)', tests.id('trams'), p_author, p_body, p_asset, p_parent
));

select is(pg_temp.violation(tests.id('jonas'), null, null), 'comments_have_content', 'something is said');
select is(pg_temp.violation(tests.id('jonas'), null, tests.id('picture')), null, 'or shown');
select is(pg_temp.violation(tests.id('jonas'), '', null), 'comments_body_length', 'an empty text is none');
select is(pg_temp.violation(tests.id('jonas'), '!', null), null, 'one has a character');
select is(pg_temp.violation(tests.id('jonas'), repeat('é', 2000), null), null, 'or 2000');
select is(pg_temp.violation(tests.id('jonas'), repeat('é', 2001), null), 'comments_body_length', 'at most');
select is(pg_temp.violation(null, 'Hello', null), 'comments_without_author_hold_a_thread', 'nobody says nothing');
select is(pg_temp.violation(null, null, tests.id('picture')), 'comments_without_author_hold_a_thread', 'and shows nothing');
select is(pg_temp.violation(null, null, null, tests.id('root')), 'comments_without_author_hold_a_thread', 'and replies to nothing');
select is(
  tests.violation_of($$ select tests.comment('elsewhere', 'maya', 'bikes', 'root') $$), 'comments_parent_is_beside', 'a reply is where its root is'
);
select is(
  tests.violation_of($$ select tests.comment('deeper', 'maya', 'trams', 'reply') $$), 'comments_replies_have_none', 'a reply has no replies'
);
select is(
  tests.violation_of($$ update app.comments set reply_count = 1 where id = tests.id('reply') $$), 'comments_replies_have_none', 'however that is said'
);
select is(
  tests.violation_of($$ update app.comments set reply_count = -1 where id = tests.id('root') $$), 'comments_reply_count_is_not_negative', 'nor a root less than none'
);
select is(tests.violation_of('delete from app.assets'), 'comments_asset_id_fkey', 'no picture goes as long as it is shown');
select is(tests.violation_of('insert into app.comments select * from app.comments'), 'comments_pkey', 'each has an id');
select is(created_at, app.now(), 'and a time') from app.comments where id = tests.id('root');
delete from app.comments where id = tests.id('root');
select is_empty($$ select from app.comments where id = tests.id('reply') $$, 'replies go with their root');
select tests.comment('of maya', 'maya', 'trams');
delete from app.events;
delete from app.posts where id = tests.id('bikes');
select isnt_empty('select from app.comments', 'what is said elsewhere stays');
select tests.person('ben');
select tests.comment('of ben', 'ben', 'trams');
select isnt_empty($$ select from app.comments where id = tests.id('of ben') $$, 'what somebody says');
delete from app.users where id = tests.id('ben');
select is_empty($$ select from app.comments where id = tests.id('of ben') $$, 'goes with their row');
delete from app.posts;
select is_empty('select from app.comments', 'and with its post');

select * from finish();
