select plan(16);

select tests.elm();
select tests.asset('picture', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('reply', 'maya', 'trams in elm', 'root');

create function pg_temp.violation(p_author uuid, p_body text, p_asset uuid)
returns text
language sql
return tests.violation_of(format(
  'insert into app.messages (discussion_id, hub_id, author_id, body, asset_id) values (%L, %L, %L, %L, %L)', tests.id('trams in elm'), tests.id('elm'), p_author, p_body, p_asset
));

select is(pg_temp.violation(tests.id('jonas'), null, null), 'messages_have_content', 'something is said');
select is(pg_temp.violation(tests.id('jonas'), null, tests.id('picture')), null, 'or shown');
select is(pg_temp.violation(null, null, null), null, 'by whom there is still');
select is(pg_temp.violation(tests.id('jonas'), '', null), 'messages_body_length', 'an empty text is none');
select is(pg_temp.violation(tests.id('jonas'), '!', null), null, 'one has a character');
select is(pg_temp.violation(tests.id('jonas'), repeat('é', 2000), null), null, 'or 2000');
select is(pg_temp.violation(tests.id('jonas'), repeat('é', 2001), null), 'messages_body_length', 'at most');
select is(
  tests.violation_of($$ select tests.message('elsewhere', 'maya', 'bikes in elm', 'root') $$), 'messages_parent_is_beside', 'a reply is where its root is'
);
select is(
  tests.violation_of($$ update app.messages set reply_count = 1 where id = tests.id('reply') $$), 'messages_replies_have_none', 'a reply has no replies'
);
select is(tests.violation_of('delete from app.assets'), 'messages_asset_id_fkey', 'no picture goes as long as it is shown');
select is_empty($$ select tests.who_may('insert into app.messages default values') $$, 'no role writes one past the operations');
select is_empty($$ select tests.who_may('update app.messages set body = body') $$, 'or rewrites one');
select is_empty($$ select tests.who_may('delete from app.messages') $$, 'or removes one');
delete from app.messages where id = tests.id('root');
select is_empty($$ select from app.messages where id = tests.id('reply') $$, 'replies go with their root');
select tests.message('of maya', 'maya', 'trams in elm');
delete from app.users where id = tests.id('maya');
select results_eq('select author_id from app.messages where id = tests.id(''of maya'')', 'values (null::uuid)', 'a text stays without its author');
delete from app.discussions;
select is_empty('select from app.messages', 'and goes with its discussion');

select * from finish();
