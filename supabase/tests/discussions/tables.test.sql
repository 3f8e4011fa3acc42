begin;
select plan(43);
savepoint empty;

-- discussions: are seen by members
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
select tests.message('in elm', 'jonas', 'trams in elm');
select tests.message('in ash', 'jonas', 'trams in ash');

select tests.authenticate_as('maya');
select results_eq('select id from app.discussions', tests.ids('trams in elm'), 'those of one''s Hubs');
select results_eq('select id from app.messages', tests.ids('in elm'), 'with what is said in them');
select tests.authenticate_as('lena');
select results_eq('select id from app.discussions', tests.ids('trams in ash'), 'and no other');
select results_eq('select id from app.messages', tests.ids('in ash'), 'nor what is said in others');
select tests.authenticate_as_guest();
select throws_ok('select from app.discussions', '42501', null, 'guests see none');

rollback to empty;

-- discussions: hold to their rules
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');

select is(
  tests.violation_of($$ insert into app.discussions (hub_id, post_id) values (tests.id('elm'), tests.id('trams')) $$), 'discussions_one_a_placement',
  'a post in a Hub has one'
);
select is(
  tests.violation_of($$ insert into app.discussions (hub_id, post_id) values (tests.id('ash'), tests.id('trams')) $$), 'discussions_are_of_placements',
  'a post elsewhere none'
);
select is(
  tests.violation_of('update app.discussions set message_count = -1'), 'discussions_message_count_is_not_negative', 'as many messages as there may be'
);
select is_empty($$ select tests.who_may('insert into app.discussions default values') $$, 'no role makes one');
select is_empty($$ select tests.who_may('update app.discussions set message_count = 9') $$, 'or changes one');
select is_empty($$ select tests.who_may('delete from app.discussions') $$, 'or removes one');
select results_eq(
  'select message_count, last_activity_at from app.discussions', 'values (0, app.now())', 'it begins empty'
);
delete from app.placements;
select is_empty('select from app.discussions', 'it goes with its place');

rollback to empty;

-- messages: hold to their rules
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

rollback to empty;

-- messages: release their pictures
select tests.elm();
select tests.asset(name, 'jonas') from unnest(array['one', 'two']) as name;
select tests.discussion('trams', 'jonas', 'elm');
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['first', 'second', 'third']) as name;
update app.messages set asset_id = tests.id('one') where id = any (tests.ids('first', 'second'));
update app.messages set asset_id = tests.id('two') where id = tests.id('third');

update app.messages set asset_id = null where id = tests.id('first');
select is_empty('select tests.to_be_removed()', 'what another message shows stays');
update app.messages set asset_id = null where id = tests.id('second');
select set_eq('select tests.to_be_removed()', tests.ids('one'), 'what none shows any more goes');
delete from app.messages where id = tests.id('third');
select set_eq('select tests.to_be_removed()', tests.ids('one', 'two'), 'as it does with its message');

rollback to empty;

-- saved_discussions: are ones own
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');

create function pg_temp.save(p_name text, p_discussion text)
returns text
language sql
return tests.error_of(format('insert into app.saved_discussions (user_id, discussion_id) values (%L, %L)', tests.id(p_name), tests.id(p_discussion))) ->> 'state';

select tests.authenticate_as('maya');
select is(pg_temp.save('maya', 'trams in elm'), null, 'one saves for oneself');
select is(pg_temp.save('jonas', 'trams in elm'), '42501', 'and for nobody else');
select is(pg_temp.save('maya', 'trams in ash'), '42501', 'what one sees');
select tests.authenticate_as('jonas');
select is(pg_temp.save('jonas', 'trams in elm'), null, 'as does anybody');
select results_eq('select user_id from app.saved_discussions', tests.ids('jonas'), 'each sees their own');
delete from app.saved_discussions;
reset role;
select results_eq('select user_id, saved_at from app.saved_discussions', $$ values (tests.id('maya'), app.now()) $$, 'and removes no other');
select is(
  tests.violation_of($$ insert into app.saved_discussions select * from app.saved_discussions $$), 'saved_discussions_pkey', 'each is saved once'
);
select is_empty($$ select tests.who_may('update app.saved_discussions set saved_at = saved_at') $$, 'no role changes when');
select set_eq($$ select tests.who_may('select saved_at from app.saved_discussions') $$, '{authenticated}'::text[], 'guests have saved none');
delete from app.discussions where id = tests.id('trams in elm');
select is_empty('select from app.saved_discussions', 'what is gone is saved no more');
insert into app.saved_discussions (user_id, discussion_id) values (tests.id('lena'), tests.id('trams in ash'));
delete from app.users where id = tests.id('lena');
select is_empty('select from app.saved_discussions', 'nor by whom is gone');

select * from finish();
rollback;
