begin;
select plan(63);
savepoint empty;

-- create_message: is for members
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
create temporary table args as select tests.in_discussion('trams in elm', '{"text": "Hello"}') as args;

select is(
  tests.refusals('create_message', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'an outsider says nothing'
)
from args;
select is(tests.refusals('create_message', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is anything said') from args;
select is(
  tests.refusals('create_message', args || jsonb_build_object('discussionId', tests.id('unknown'))), tests.everybody('DISCUSSION_NOT_FOUND'), 'nor where there is no discussion'
)
from args;
select is_empty('select from app.messages', 'and nothing is kept');

rollback to empty;

-- create_message: says something
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');
select tests.asset('face', 'jonas', 'profile_photo');
select tests.discussion('trams', 'maya', 'elm', app.now() - interval '1 day');
select tests.placed('trams', 'ash', app.now() - interval '1 day');
update app.hubs set last_activity_at = app.now() - interval '1 day';
delete from app.events;

create function pg_temp.say(p_args jsonb)
returns jsonb
language sql
return api.create_message(tests.in_discussion('trams in elm', p_args));

select tests.authenticate_as('jonas');
create temporary table answers as
select pg_temp.say('{"text": "Hello"}') as text, pg_temp.say(jsonb_build_object('assetId', tests.id('picture'))) as picture;
select is(
  text - 'id',
  jsonb_build_object(
    'discussionId', tests.id('trams in elm'), 'parentMessageId', null, 'author', tests.author('elm', 'jonas'),
    'text', 'Hello', 'assetId', null, 'replyCount', 0, 'createdAt', app.iso(app.now())
  ),
  'in words'
)
from answers;
select is(picture -> 'assetId', to_jsonb(tests.id('picture')), 'or pictures') from answers;
select is(
  pg_temp.say(jsonb_build_object('text', 'Again', 'parentMessageId', text -> 'id')) -> 'parentMessageId', text -> 'id', 'or in reply'
)
from answers;
select is(text || '{"replyCount": 1}', app.messages_json(m.hub_id, array[m]) -> 0, 'as others read it') from answers join app.messages as m on m.id = (text ->> 'id')::uuid;
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('other picture'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'one''s own'
);
select is(
  tests.error_of($$ select pg_temp.say(jsonb_build_object('assetId', tests.id('face'))) $$) #> '{details,issues,0,path}', '["assetId"]', 'of posts'
);
select is(tests.violation_of($$ select pg_temp.say('{}') $$), 'messages_have_content', 'nothing is not said');
reset role;
select set_eq(
  'select d.id, d.message_count, d.last_activity_at, h.last_activity_at as of_hub from app.discussions as d join app.hubs as h on h.id = d.hub_id',
  $$
    values
      (tests.id('trams in elm'), 3, app.now(), app.now()),
      (tests.id('trams in ash'), 0, app.now() - interval '1 day', app.now() - interval '1 day')
  $$,
  'and moves the discussion and its Hub up'
);
select is_empty('select from app.events', 'nobody is notified of it');

rollback to empty;

-- list_messages: is for members
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('message ' || n, 'jonas', 'trams in elm') from generate_series(1, 31) as n;
create temporary table args as select tests.in_discussion('trams in elm') as args;
grant select on args to public;

select is(tests.refusals('list_messages', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'an outsider reads none') from args;
select is(tests.refusals('list_messages', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are any') from args;
select tests.authenticate_as('maya');
select is(cardinality(tests.listed(api.list_messages(args))), 30, 'a page has 30') from args;
select is(cardinality(tests.listed(api.list_messages(args || '{"limit": 100}'))), 31, 'or up to 100') from args;
select is(tests.refusal('list_messages', args || '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more') from args;
select is(tests.refusal('list_messages', args || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor') from args;
select is(app.messages_json(tests.id('elm'), '{}'), '[]', 'none are none');

rollback to empty;

-- list_messages: is oldest first
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('second', 'jonas', 'trams in elm', null, app.now() - interval '2 hours');
select tests.message('first', 'maya', 'trams in elm', null, app.now() - interval '3 hours');
select tests.message('third', 'maya', 'trams in elm', null, app.now() - interval '1 hour');
select tests.message('later reply', 'maya', 'trams in elm', 'first', app.now());
select tests.message('reply', 'jonas', 'trams in elm', 'first', app.now() - interval '1 minute');
select tests.message('elsewhere', 'maya', 'bikes in elm');

create function pg_temp.thread(p_name text)
returns jsonb
language sql
return tests.in_discussion('trams in elm', jsonb_build_object('parentMessageId', tests.id(p_name)));

select tests.authenticate_as('maya');
create temporary table answers as select api.list_messages(tests.in_discussion('trams in elm')) as page;
select is(tests.listed(page), tests.ids('first', 'second', 'third'), 'without replies') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,1}', app.messages_json(m.hub_id, array[m]) -> 0, 'each by its card') from answers join app.messages as m on m.id = tests.id('second');
select is(
  tests.listed_in_parts('list_messages', tests.in_discussion('trams in elm')), tests.listed(page), 'or one after the other'
)
from answers;
select is(tests.listed(api.list_messages(pg_temp.thread('first'))), tests.ids('reply', 'later reply'), 'replies are a list of their own');
select is(tests.listed_in_parts('list_messages', pg_temp.thread('first')), tests.ids('reply', 'later reply'), 'in parts too');
select is(tests.listed(api.list_messages(pg_temp.thread('second'))), '{}', 'there may be none');
select is(tests.refusal('list_messages', pg_temp.thread('reply')), 'MESSAGE_NOT_FOUND', 'a reply has none of its own');
select is(tests.refusal('list_messages', pg_temp.thread('elsewhere')), 'MESSAGE_NOT_FOUND', 'nor has what is said elsewhere any here');
select is(tests.refusal('list_messages', pg_temp.thread('unknown')), 'MESSAGE_NOT_FOUND', 'or what was never said');

rollback to empty;

-- list_messages: keeps threads of suspended people
select tests.elm();
select tests.discussion('trams', 'amara', 'elm');
select tests.discussion('bikes', 'amara', 'elm');
select tests.message('begun elsewhere', 'jonas', 'bikes in elm', null, app.now() - interval '3 hours');
select tests.message('reply elsewhere', 'maya', 'bikes in elm', 'begun elsewhere');
select tests.message('begun by jonas', 'jonas', 'trams in elm', null, app.now() - interval '3 hours');
select tests.message('begun by maya', 'maya', 'trams in elm', null, app.now() - interval '2 hours');
select tests.message('answered by jonas alone', 'jonas', 'trams in elm', null, app.now() - interval '1 hour');
select tests.message('unanswered', 'jonas', 'trams in elm');
select tests.message('reply of maya', 'maya', 'trams in elm', 'begun by jonas', app.now() - interval '1 hour');
select tests.message('reply of jonas', 'jonas', 'trams in elm', 'begun by jonas');
select tests.message('own reply', 'jonas', 'trams in elm', 'answered by jonas alone');
-- No counter of theirs knows of messages that the fixture writes.
update app.messages as root
set reply_count = (select count(*) from app.messages as reply where reply.parent_id = root.id)
where root.parent_id is null;
insert into app.suspensions (user_id) values (tests.id('jonas'));

create function pg_temp.args(p_change jsonb default '{}')
returns jsonb
language sql
return tests.in_discussion('trams in elm') || p_change;

select tests.authenticate_as('amara');
select is(
  tests.listed(api.list_messages(pg_temp.args())), tests.ids('begun by jonas', 'begun by maya'),
  'a thread of a suspended person that somebody else replied in stays in its place'
);
select is(
  api.list_messages(pg_temp.args()) #> '{items,0}',
  jsonb_build_object(
    'id', tests.id('begun by jonas'), 'discussionId', tests.id('trams in elm'), 'parentMessageId', null, 'author', app.discussion_author(null),
    'text', null, 'assetId', null, 'replyCount', 2, 'createdAt', app.iso(app.now() - interval '3 hours')
  ),
  'its root has no author and no text'
);
select is(
  tests.listed(api.list_messages(pg_temp.args(jsonb_build_object('parentMessageId', tests.id('begun by jonas'))))), tests.ids('reply of maya'),
  'the replies of others are listed'
);
select is(
  tests.refusal('list_messages', pg_temp.args(jsonb_build_object('parentMessageId', tests.id('answered by jonas alone')))), 'MESSAGE_NOT_FOUND',
  'a thread in which only the suspended person spoke is not there'
);
select is(
  tests.refusal('list_messages', pg_temp.args(jsonb_build_object('parentMessageId', tests.id('reply of maya')))), 'MESSAGE_NOT_FOUND', 'a reply is no root'
);
select is_empty($$ select from app.messages where author_id = tests.id('jonas') or body = 'begun by jonas' $$, 'the message itself is hidden');
select is(
  tests.refusal('create_message', pg_temp.args(jsonb_build_object('text', 'A reply', 'parentMessageId', tests.id('begun by jonas')))), 'MESSAGE_NOT_FOUND',
  'nobody replies to the root'
);
select is(
  tests.refusal('create_message', pg_temp.args(jsonb_build_object('text', 'A reply', 'parentMessageId', tests.id('reply of maya')))), null,
  'the thread goes on below the replies of others'
);
select tests.authenticate_as('lena');
select is_empty($$ select from app.hidden_message_roots(tests.id('trams in elm'), '-infinity', 'infinity') $$, 'a person outside the Hub gets none of its threads');
reset role;
delete from app.suspensions;
select tests.authenticate_as('amara');
select is(api.list_messages(pg_temp.args()) #>> '{items,0,text}', 'begun by jonas', 'all is back when the person is restored');
reset role;
select set_eq($$ select tests.who_may('select from app.hidden_message_roots(null, null, null)') $$, array['authenticated'], 'members list messages');

rollback to empty;

-- list_messages: pages a thread through one moment
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message(n::text, 'jonas', 'trams in elm', 'root') from generate_series(1, 6) as n;
create temporary table by_id as select array(select m.id from app.messages as m where m.parent_id is not null order by m.id) as ids;
grant select on by_id to public;
select tests.without_indexes();

create function pg_temp.thread()
returns uuid[]
language sql
return tests.listed_in_parts('list_messages', tests.in_discussion('trams in elm', jsonb_build_object('parentMessageId', tests.id('root'))));

select tests.authenticate_as('maya');
select is(pg_temp.thread(), ids, 'in the order of their ids') from by_id;
reset role;
update app.messages set created_at = app.now() - interval '1 hour' from by_id where id = ids[6];
select tests.authenticate_as('maya');
select is(pg_temp.thread(), ids[6] || ids[:5], 'the oldest first') from by_id;

rollback to empty;

-- list_messages: pages through one moment
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message(n::text, 'jonas', 'trams in elm') from generate_series(1, 6) as n;
select tests.without_indexes();
select tests.authenticate_as('maya');
select is(
  tests.listed(api.list_messages(tests.in_discussion('trams in elm'))), array(select m.id from app.messages as m order by m.id), 'in the order of their ids'
);
select is(
  tests.listed_in_parts('list_messages', tests.in_discussion('trams in elm')), array(select m.id from app.messages as m order by m.id), 'on pages as on one'
);

rollback to empty;

-- messages_json: keep their order
select tests.elm();
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.message(n::text, 'jonas', n || ' in elm') from generate_series(1, 6) as n;
select tests.without_indexes();

create function pg_temp.entries(p_ids uuid[])
returns app.list_entry[]
language sql
return array(select (null, id)::app.list_entry from unnest(p_ids) as id);

create function pg_temp.messages(variadic p_names text[])
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.messages_json(
  tests.id('elm'), array(select m from unnest(tests.ids(variadic p_names)) with ordinality as named (id, place) join app.messages as m using (id) order by named.place)
)));

create function pg_temp.discussions(variadic p_names text[])
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.discussions_json(tests.id('elm'), pg_temp.entries(tests.ids(variadic p_names)))));

select tests.authenticate_as('maya');
select is(pg_temp.messages('3', '1', '6', '2'), tests.ids('3', '1', '6', '2'), 'as they are given');
select is(pg_temp.messages('2', '6', '1', '3', 'unknown'), tests.ids('2', '6', '1', '3'), 'whatever that is');
select is(pg_temp.discussions('3 in elm', '1 in elm', '6 in elm'), tests.ids('3 in elm', '1 in elm', '6 in elm'), 'as do discussions');
select is(pg_temp.discussions('6 in elm', '1 in elm', '3 in elm'), tests.ids('6 in elm', '1 in elm', '3 in elm'), 'of the same Hub');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('maya');
select is(pg_temp.messages('3', '1'), tests.ids('3', '1'), 'also those of nobody any more');
select is(pg_temp.discussions('3 in elm', '1 in elm'), tests.ids('3 in elm', '1 in elm'), 'of both kinds');

rollback to empty;

-- message_json: shows a message
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.discussion('trams', 'maya', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('reply', 'jonas', 'trams in elm', 'root', app.now() - interval '1 day');
update app.messages set reply_count = 3 where id = tests.id('root');
update app.messages set body = null, asset_id = tests.id('picture') where id = tests.id('reply');

create function pg_temp.expected(p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'discussionId', tests.id('trams in elm'), 'author', tests.author('elm', 'jonas'), 'parentMessageId', null,
  'text', null, 'assetId', null, 'replyCount', 0
) || p_change;

select tests.authenticate_as('maya');
select is(
  app.messages_json(m.hub_id, array[m]) -> 0,
  pg_temp.expected(jsonb_build_object('id', tests.id('root'), 'text', 'root', 'replyCount', 3, 'createdAt', app.iso(app.now()))), 'a text'
)
from app.messages as m where m.id = tests.id('root');
select is(
  app.messages_json(m.hub_id, array[m]) -> 0,
  pg_temp.expected(jsonb_build_object(
    'id', tests.id('reply'), 'parentMessageId', tests.id('root'), 'assetId', tests.id('picture'), 'createdAt', app.iso(app.now() - interval '1 day')
  )),
  'or a picture, in a thread'
)
from app.messages as m where m.id = tests.id('reply');

rollback to empty;

-- put_message: is for members
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
select tests.authenticate_as('lena');
select throws_ok(
  $$ select app.put_message(tests.id('trams in elm'), null, 'Hello', null) $$, 'PT404', 'DISCUSSION_NOT_FOUND', 'of its Hub, not of another'
);
select is(
  tests.error_of($$ select app.put_message(tests.id('unknown'), null, 'Hello', null) $$) - 'details', '{"state": "PT404", "code": "DISCUSSION_NOT_FOUND"}', 'where there is one'
);
reset role;
update app.discussions set last_activity_at = app.now() + interval '1 hour';
select tests.authenticate_as('maya');
select app.put_message(tests.id('trams in elm'), null, 'Hello', null);
select results_eq('select author_id, hub_id from app.messages', $$ values (tests.id('maya'), tests.id('elm')) $$, 'who say it themselves');
select is(last_activity_at, app.now() + interval '1 hour', 'and time does not go back') from app.discussions where hub_id = tests.id('elm');

rollback to empty;

-- put_message: joins threads
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('other root', 'jonas', 'trams in elm');
select tests.message('elsewhere', 'jonas', 'bikes in elm');

select tests.authenticate_as('maya');
create temporary table replies as select app.put_message(tests.id('trams in elm'), tests.id('root'), 'A reply', null) as reply;
select is(m.parent_id, tests.id('root'), 'a reply is below its root') from replies join app.messages as m on m.id = reply;
create temporary table answers as select app.put_message(tests.id('trams in elm'), reply, 'A reply to it', null) as id from replies;
select is(m.parent_id, tests.id('root'), 'and so is a reply to it') from answers join app.messages as m using (id);
select set_eq(
  'select id, reply_count from app.messages where parent_id is null',
  $$ values (tests.id('root'), 2), (tests.id('other root'), 0), (tests.id('elsewhere'), 0) $$, 'which counts them'
);
select results_eq(
  $$ select message_count from app.discussions where id = tests.id('trams in elm') $$, 'values (2)', 'as does the discussion'
);
select throws_ok(
  $$ select app.put_message(tests.id('trams in elm'), tests.id('elsewhere'), 'Lost', null) $$, 'PT404', 'MESSAGE_NOT_FOUND',
  'what is said elsewhere is not replied to'
);
select is(
  tests.error_of($$ select app.put_message(tests.id('trams in elm'), tests.id('unknown'), 'Lost', null) $$) ->> 'code', 'MESSAGE_NOT_FOUND',
  'nor what was never said'
);

select * from finish();
rollback;
