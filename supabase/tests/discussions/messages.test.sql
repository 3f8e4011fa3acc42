begin;
select plan(61);
savepoint empty;

-- create_message writes messages of members and moves the discussion up.
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');
select tests.asset('face', 'jonas', 'profile_photo');
select tests.discussion('trams', 'maya', 'elm', app.now() - interval '1 day');
select tests.placement('trams', 'ash', app.now() - interval '1 day');
update app.hubs set last_activity_at = app.now() - interval '1 day';
delete from app.events;
create temporary table args as select tests.discussion_args('trams in elm', '{"text": "Hello"}') as args;
grant select on args to public;

create function pg_temp.send(p_args jsonb)
returns jsonb
language sql
return api.create_message(tests.discussion_args('trams in elm', p_args));

select is(tests.refusals('create_message', args || change), expected, title)
from args, (values
  ('{}', tests.refusals_below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'only members at level 4 create messages'),
  (tests.hub_args('oak'), tests.refusals_of_all('HUB_NOT_FOUND'), 'nobody creates messages in an unknown Hub'),
  (
    jsonb_build_object('discussionId', tests.id('unknown')), tests.refusals_of_all('DISCUSSION_NOT_FOUND'),
    'nobody creates messages in an unknown discussion'
  )
) as c (change, expected, title);
select tests.authenticate_as('jonas');
create temporary table answers as
select pg_temp.send('{"text": "Hello"}') as text, pg_temp.send(jsonb_build_object('assetId', tests.id('picture'))) as picture;
select is(
  text - 'id',
  jsonb_build_object(
    'discussionId', tests.id('trams in elm'), 'parentMessageId', null, 'author', tests.discussion_author('elm', 'jonas'),
    'text', 'Hello', 'assetId', null, 'replyCount', 0, 'createdAt', app.iso(app.now())
  ),
  'create_message answers the message with its author'
)
from answers;
select is(picture -> 'assetId', to_jsonb(tests.id('picture')), 'a member can create a message with a picture') from answers;
select is(
  pg_temp.send(jsonb_build_object('text', 'Again', 'parentMessageId', text -> 'id')) -> 'parentMessageId', text -> 'id',
  'create_message answers the root of a reply'
)
from answers;
select is(
  text || '{"replyCount": 1}', app.messages_json(m.hub_id, array[m]) -> 0, 'create_message answers a message as lists show it'
)
from answers join app.messages as m on m.id = (text ->> 'id')::uuid;
select is(
  tests.error_of(format('select pg_temp.send(%L)', jsonb_build_object('assetId', tests.id(name)))) #> '{details,issues,0,path}',
  '["assetId"]', title
)
from (values
  ('other picture', 'a member cannot create a message with another user''s picture'),
  ('face', 'a member cannot create a message with a profile photo')
) as c (name, title);
select is(
  tests.violation_of($$ select pg_temp.send('{}') $$), 'messages_have_content', 'a member cannot create a message without content'
);
reset role;
select set_eq(
  $$
    select d.id, d.message_count, d.last_activity_at, h.last_activity_at as of_hub
    from app.discussions as d
    join app.hubs as h on h.id = d.hub_id
  $$,
  $$
    values
      (tests.id('trams in elm'), 3, app.now(), app.now()),
      (tests.id('trams in ash'), 0, app.now() - interval '1 day', app.now() - interval '1 day')
  $$,
  'create_message updates message count and last activity of this discussion only'
);
select is_empty('select from app.events', 'creating a message notifies nobody');

rollback to empty;

-- list_messages checks the caller and the page size.
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('message ' || n, 'jonas', 'trams in elm') from generate_series(1, 31) as n;
create temporary table args as select tests.discussion_args('trams in elm') as args;
grant select on args to public;

select is(tests.refusals('list_messages', args || change), expected, title)
from args, (values
  ('{}', tests.refusals_below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'only members at level 4 list messages'),
  (tests.hub_args('ash'), tests.refusals_of_all('HUB_NOT_FOUND'), 'nobody lists messages of an unknown Hub')
) as c (change, expected, title);
select tests.authenticate_as('maya');
select is(cardinality(tests.item_ids(api.list_messages(args || change::jsonb))), expected, title)
from args, (values
  ('{}', 30, 'list_messages answers 30 items on a page by default'),
  ('{"limit": 100}', 31, 'list_messages answers up to 100 items on request')
) as c (change, expected, title);
select is(tests.refusal('list_messages', args || change::jsonb), 'VALIDATION_FAILED', title)
from args, (values
  ('{"limit": 101}', 'list_messages refuses a limit above 100'),
  ('{"cursor": "?"}', 'list_messages refuses a malformed cursor')
) as c (change, title);
select is(app.messages_json(tests.id('elm'), '{}'), '[]', 'messages_json of no messages is an empty array');

rollback to empty;

-- list_messages lists roots, or the replies of one thread, oldest first.
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
return tests.discussion_args('trams in elm', jsonb_build_object('parentMessageId', tests.id(p_name)));

select tests.authenticate_as('maya');
create temporary table answers as select api.list_messages(tests.discussion_args('trams in elm')) as page;
select is(
  tests.item_ids(page), tests.ids('first', 'second', 'third'),
  'list_messages lists root messages of this discussion, oldest first'
)
from answers;
select is(page ->> 'nextCursor', null, 'the only page of messages has no next cursor') from answers;
select is(
  page #> '{items,1}', app.messages_json(m.hub_id, array[m]) -> 0, 'list_messages shows a message as messages_json does'
)
from answers join app.messages as m on m.id = tests.id('second');
select is(
  tests.item_ids_across_pages('list_messages', tests.discussion_args('trams in elm')), tests.item_ids(page),
  'list_messages keeps its order on pages of one item'
)
from answers;
select is(
  tests.item_ids(api.list_messages(pg_temp.thread('first'))), tests.ids('reply', 'later reply'),
  'list_messages lists the replies of one thread, oldest first'
);
select is(
  tests.item_ids_across_pages('list_messages', pg_temp.thread('first')), tests.ids('reply', 'later reply'),
  'list_messages keeps the order of replies on pages of one item'
);
select is(
  tests.item_ids(api.list_messages(pg_temp.thread('second'))), '{}', 'a root message without replies has an empty thread'
);
select is(tests.refusal('list_messages', pg_temp.thread(name)), 'MESSAGE_NOT_FOUND', title)
from (values
  ('reply', 'a reply to a message has no thread of its own'),
  ('elsewhere', 'a message of another discussion has no thread here'),
  ('unknown', 'an unknown message has no thread')
) as c (name, title);

rollback to empty;

-- list_messages keeps threads of suspended users that other members replied in.
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
-- The fixture does not count replies.
update app.messages as root
set reply_count = (select count(*) from app.messages as reply where reply.parent_id = root.id)
where root.parent_id is null;
insert into app.suspensions (user_id) values (tests.id('jonas'));

create function pg_temp.args(p_change jsonb default '{}')
returns jsonb
language sql
return tests.discussion_args('trams in elm') || p_change;

create function pg_temp.below(p_root text)
returns jsonb
language sql
return pg_temp.args(jsonb_build_object('parentMessageId', tests.id(p_root)));

select tests.authenticate_as('amara');
select is(
  tests.item_ids(api.list_messages(pg_temp.args())), tests.ids('begun by jonas', 'begun by maya'),
  'a thread of a suspended user stays when another member replied'
);
select is(
  api.list_messages(pg_temp.args()) #> '{items,0}',
  jsonb_build_object(
    'id', tests.id('begun by jonas'), 'discussionId', tests.id('trams in elm'), 'parentMessageId', null,
    'author', app.discussion_author(null),
    'text', null, 'assetId', null, 'replyCount', 2, 'createdAt', app.iso(app.now() - interval '3 hours')
  ),
  'a suspended user''s root message has no author and no text'
);
select is(
  tests.item_ids(api.list_messages(pg_temp.below('begun by jonas'))), tests.ids('reply of maya'),
  'a suspended user''s message thread lists the replies of others only'
);
select is(tests.refusal(operation, pg_temp.below(parent) || '{"text": "A reply"}'), expected, title)
from (values
  ('list_messages', 'answered by jonas alone', 'MESSAGE_NOT_FOUND', 'a message thread of a suspended user alone is not found'),
  ('list_messages', 'reply of maya', 'MESSAGE_NOT_FOUND', 'a reply in a suspended user''s thread is no root message'),
  ('create_message', 'begun by jonas', 'MESSAGE_NOT_FOUND', 'a member cannot reply to a message of a suspended user'),
  ('create_message', 'reply of maya', null, 'a member can reply to others in a suspended user''s thread')
) as c (operation, parent, expected, title);
select is_empty(
  $$ select from app.messages where author_id = tests.id('jonas') or body = 'begun by jonas' $$,
  'a member cannot read messages of a suspended user'
);
select tests.authenticate_as('lena');
select is_empty(
  $$ select from app.hidden_message_roots(tests.id('trams in elm'), '-infinity', 'infinity') $$,
  'a non-member gets no hidden roots of the discussion'
);
reset role;
delete from app.suspensions;
select tests.authenticate_as('amara');
select is(
  api.list_messages(pg_temp.args()) #>> '{items,0,text}', 'begun by jonas', 'a restored user''s message shows its text again'
);

rollback to empty;

-- list_messages orders items of one moment by id.
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message(n::text, 'jonas', 'trams in elm') from generate_series(1, 6) as n;
select tests.message('reply ' || n, 'jonas', 'trams in elm', 'root') from generate_series(1, 6) as n;
create temporary table by_id as
select
  array_agg(m.id order by m.id) filter (where m.parent_id is null) as roots,
  array_agg(m.id order by m.id) filter (where m.parent_id is not null) as replies
from app.messages as m;
grant select on by_id to public;
select tests.disable_index_scans();

create function pg_temp.replies()
returns uuid[]
language sql
return tests.item_ids_across_pages(
  'list_messages', tests.discussion_args('trams in elm', jsonb_build_object('parentMessageId', tests.id('root')))
);

select tests.authenticate_as('maya');
select is(
  tests.item_ids(api.list_messages(tests.discussion_args('trams in elm'))), roots,
  'list_messages orders root messages of one moment by id'
)
from by_id;
select is(
  tests.item_ids_across_pages('list_messages', tests.discussion_args('trams in elm')), roots,
  'list_messages pages through root messages of one moment by id'
)
from by_id;
select is(pg_temp.replies(), replies, 'list_messages pages through replies of one moment by id') from by_id;
reset role;
update app.messages set created_at = app.now() - interval '1 hour' from by_id where id = replies[6];
select tests.authenticate_as('maya');
select is(pg_temp.replies(), replies[6] || replies[:5], 'list_messages lists the oldest reply first, whatever its id') from by_id;

rollback to empty;

-- messages_json and discussions_json keep the given order.
select tests.elm();
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.message(n::text, 'jonas', n || ' in elm') from generate_series(1, 6) as n;
select tests.disable_index_scans();

create function pg_temp.messages(variadic p_names text[])
returns uuid[]
language sql
return tests.item_ids(jsonb_build_object('items', app.messages_json(tests.id('elm'), array(
  select m
  from unnest(tests.ids(variadic p_names)) with ordinality as named (id, place)
  join app.messages as m using (id)
  order by named.place
))));

create function pg_temp.discussions(variadic p_names text[])
returns uuid[]
language sql
return tests.item_ids(jsonb_build_object('items', app.discussions_json(tests.id('elm'), array(
  select (null, id)::app.list_entry from unnest(tests.ids(variadic p_names)) as id
))));

select tests.authenticate_as('maya');
select is(pg_temp.messages('3', '1', '6', '2'), tests.ids('3', '1', '6', '2'), 'messages_json keeps the given order');
select is(
  pg_temp.messages('2', '6', '1', '3', 'unknown'), tests.ids('2', '6', '1', '3'), 'messages_json keeps another given order'
);
select is(
  pg_temp.discussions('3 in elm', '1 in elm', '6 in elm'), tests.ids('3 in elm', '1 in elm', '6 in elm'),
  'discussions_json keeps the given order'
);
select is(
  pg_temp.discussions('6 in elm', '1 in elm', '3 in elm'), tests.ids('6 in elm', '1 in elm', '3 in elm'),
  'discussions_json keeps the opposite order'
);
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('maya');
select is(pg_temp.messages('3', '1'), tests.ids('3', '1'), 'messages_json keeps messages whose author has no profile');
select is(
  pg_temp.discussions('3 in elm', '1 in elm'), tests.ids('3 in elm', '1 in elm'),
  'discussions_json keeps posts whose author has no profile'
);

rollback to empty;

-- messages_json shows roots and replies, texts and pictures.
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
  'discussionId', tests.id('trams in elm'), 'author', tests.discussion_author('elm', 'jonas'), 'parentMessageId', null,
  'text', null, 'assetId', null, 'replyCount', 0
) || p_change;

select tests.authenticate_as('maya');
select is(
  app.messages_json(m.hub_id, array[m]) -> 0,
  pg_temp.expected(jsonb_build_object('id', tests.id('root'), 'text', 'root', 'replyCount', 3, 'createdAt', app.iso(app.now()))),
  'a root message shows its text, author and reply count'
)
from app.messages as m where m.id = tests.id('root');
select is(
  app.messages_json(m.hub_id, array[m]) -> 0,
  pg_temp.expected(jsonb_build_object(
    'id', tests.id('reply'), 'parentMessageId', tests.id('root'), 'assetId', tests.id('picture'),
    'createdAt', app.iso(app.now() - interval '1 day')
  )),
  'a reply message shows its root and its picture'
)
from app.messages as m where m.id = tests.id('reply');

rollback to empty;

-- put_message checks the Hub of the discussion itself.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placement('trams', 'ash');
select tests.authenticate_as('lena');
select throws_ok(
  format('select app.put_message(tests.id(%L), null, %L, null)', name, 'Hello'), 'PT404', 'DISCUSSION_NOT_FOUND', title
)
from (values
  ('trams in elm', 'a member of another Hub cannot put a message'),
  ('unknown', 'nobody can put a message in an unknown discussion')
) as c (name, title);
reset role;
update app.discussions set last_activity_at = app.now() + interval '1 hour';
select tests.authenticate_as('maya');
select app.put_message(tests.id('trams in elm'), null, 'Hello', null);
select results_eq(
  'select author_id, hub_id from app.messages', $$ values (tests.id('maya'), tests.id('elm')) $$,
  'put_message stores the caller as author and the Hub'
);
select is(last_activity_at, app.now() + interval '1 hour', 'put_message never moves last activity back')
from app.discussions where hub_id = tests.id('elm');

rollback to empty;

-- put_message adds replies to the thread of their root.
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('other root', 'jonas', 'trams in elm');
select tests.message('elsewhere', 'jonas', 'bikes in elm');

select tests.authenticate_as('maya');
create temporary table replies as select app.put_message(tests.id('trams in elm'), tests.id('root'), 'A reply', null) as id;
select is(m.parent_id, tests.id('root'), 'a reply to a root message joins its thread')
from replies join app.messages as m using (id);
create temporary table nested_replies as
select app.put_message(tests.id('trams in elm'), id, 'A reply to a reply', null) as id from replies;
select is(m.parent_id, tests.id('root'), 'a reply to a reply joins the thread of the root message')
from nested_replies join app.messages as m using (id);
select set_eq(
  'select id, reply_count from app.messages where parent_id is null',
  $$ values (tests.id('root'), 2), (tests.id('other root'), 0), (tests.id('elsewhere'), 0) $$,
  'put_message counts replies on their root message only'
);
select results_eq(
  $$ select message_count from app.discussions where id = tests.id('trams in elm') $$, 'values (2)',
  'put_message counts replies as messages of the discussion'
);
select throws_ok(
  format('select app.put_message(tests.id(%L), tests.id(%L), %L, null)', 'trams in elm', name, 'Lost'), 'PT404',
  'MESSAGE_NOT_FOUND', title
)
from (values
  ('elsewhere', 'a member cannot reply to a message of another discussion'),
  ('unknown', 'a member cannot reply to an unknown message')
) as c (name, title);

select * from finish();
rollback;
