begin;
select plan(56);
savepoint empty;

-- create_message writes messages of members and moves the discussion up (docs/product.md D3, D4).
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
  (
    '{}', tests.refusals_below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}',
    'only members at level 4 create messages'
  ),
  (tests.hub_args('oak'), tests.refusals_of_all('HUB_NOT_FOUND'), 'nobody creates messages in an unknown Hub'),
  (
    jsonb_build_object('discussionId', tests.id('unknown')), tests.refusals_of_all('DISCUSSION_NOT_FOUND'),
    'nobody creates messages in an unknown discussion'
  )
) as c (change, expected, title);
select tests.authenticate_as('jonas');
create temporary table answers as
select pg_temp.send('{"text": "Hello"}') as text,
  pg_temp.send(jsonb_build_object('assetId', tests.id('picture'), 'altText', 'A tram')) as picture;
select is(
  text - 'id',
  jsonb_build_object(
    'discussionId', tests.id('trams in elm'), 'parentMessageId', null, 'author',
    tests.discussion_author('elm', 'jonas'),
    'text', 'Hello', 'replyCount', 0, 'createdAt', app.iso(app.now()), 'isDeleted', false
  ) || tests.picture(),
  'create_message answers the message with its author'
)
from answers;
select is(
  picture @> tests.picture('picture', 'A tram'), true, 'create_message answers a picture with its alt text and size'
) from answers;
select is(
  tests.error_of($$ select pg_temp.send('{"text": "Look", "altText": "A tram"}') $$) #> '{details,issues,0,path}',
  '["altText"]',
  'a message with an alt text needs a picture'
);
select is(
  pg_temp.send(jsonb_build_object('text', 'Again', 'parentMessageId', text -> 'id')) -> 'parentMessageId', text -> 'id',
  'create_message answers the root of a reply'
)
from answers;
select is(
  text || '{"replyCount": 1}', app.messages_json(m.hub_id, array[m]) -> 0,
  'create_message answers a message as lists show it'
)
from answers join app.messages as m on m.id = (text ->> 'id')::uuid;
select is(
  tests.error_of(
    format('select pg_temp.send(%L)', jsonb_build_object('assetId', tests.id(name)))
  ) #> '{details,issues,0,path}',
  '["assetId"]', title
)
from (values
  ('other picture', 'a member cannot create a message with another user''s picture'),
  ('face', 'a member cannot create a message with a profile photo')
) as c (name, title);
select is(
  tests.violation_of($$ select pg_temp.send('{}') $$), 'messages_have_content',
  'a member cannot create a message without content'
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
      (tests.id('trams in elm'), 3, app.now() + interval '2 microseconds', app.now()),
      (tests.id('trams in ash'), 0, app.now() - interval '1 day', app.now() - interval '1 day')
  $$,
  'create_message updates message count and last activity of this discussion only'
);
select is_empty('select from app.events', 'creating a message notifies nobody');

rollback to empty;

-- list_messages checks the caller and the page size, and orders items of one moment by id.
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('message ' || n, 'jonas', 'trams in elm') from generate_series(1, 30) as n;
select tests.message('reply ' || n, 'jonas', 'trams in elm', 'root') from generate_series(1, 6) as n;
create temporary table args as
select
  tests.discussion_args('trams in elm') as args,
  array_agg(m.id order by m.id) filter (where m.parent_id is null) as roots,
  array_agg(m.id order by m.id) filter (where m.parent_id is not null) as replies
from app.messages as m;
grant select on args to public;
select tests.disable_index_scans();

create function pg_temp.replies()
returns uuid[]
language sql
as $$
  select tests.item_ids_across_pages(
    'list_messages', args || jsonb_build_object('parentMessageId', tests.id('root'))
  ) from args
$$;

select is(tests.refusals('list_messages', args || change), expected, title)
from args, (
  values
    (
      '{}', tests.refusals_below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}',
      'only members at level 4 list messages'
    ),
    (tests.hub_args('ash'), tests.refusals_of_all('HUB_NOT_FOUND'), 'nobody lists messages of an unknown Hub')
) as c (change, expected, title);
select tests.authenticate_as('maya');
select is(
  tests.item_ids(api.list_messages(args)), roots[:30],
  'list_messages returns 30 messages by default, those of one moment by id'
)
from args;
select is(
  tests.item_ids(api.list_messages(args || '{"limit": 100}')), roots,
  'list_messages returns up to 100 messages on request'
)
from args;
select is(
  tests.refusal('list_messages', args || '{"cursor": "?"}'), 'VALIDATION_FAILED',
  'list_messages refuses a malformed cursor'
)
from args;
select is(pg_temp.replies(), replies, 'list_messages pages through replies of one moment by id') from args;
reset role;
delete from app.messages using args where id = any (roots[7:]) and id <> tests.id('root');
update args set roots = array(select m.id from app.messages as m where m.parent_id is null order by m.id);
update app.messages set created_at = app.now() - interval '1 hour' from args where id = replies[6];
select tests.authenticate_as('maya');
select is(
  tests.item_ids_across_pages('list_messages', args), roots,
  'list_messages pages through root messages of one moment by id'
)
from args;
select is(
  pg_temp.replies(), replies[6] || replies[:5], 'list_messages lists the oldest reply first, whatever its id'
) from args;

rollback to empty;

-- list_messages lists roots, or the replies of one thread, oldest first (docs/product.md D3).
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
  tests.item_ids(api.list_messages(pg_temp.thread('second'))), '{}',
  'a root message without replies has an empty thread'
);
select is(tests.refusal('list_messages', pg_temp.thread(name)), 'MESSAGE_NOT_FOUND', title)
from (values
  ('reply', 'a reply to a message has no thread of its own'),
  ('elsewhere', 'a message of another discussion has no thread here'),
  ('unknown', 'an unknown message has no thread')
) as c (name, title);

rollback to empty;

-- list_messages keeps threads of suspended users that other members replied in (docs/product.md D9).
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
    'text', null, 'replyCount', 2, 'createdAt', app.iso(app.now() - interval '3 hours'), 'isDeleted', true
  ) || tests.picture(),
  'a suspended user''s root message has no author and no text'
);
select is(
  tests.item_ids(api.list_messages(pg_temp.below('begun by jonas'))), tests.ids('reply of maya'),
  'a suspended user''s message thread lists the replies of others only'
);
select is(tests.refusal(operation, pg_temp.below(parent) || '{"text": "A reply"}'), expected, title)
from (values
  (
    'list_messages', 'answered by jonas alone', 'MESSAGE_NOT_FOUND',
    'a message thread of a suspended user alone is not found'
  ),
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
  api.list_messages(pg_temp.args()) #>> '{items,0,text}', 'begun by jonas',
  'a restored user''s message shows its text again'
);

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
select is(
  pg_temp.messages('3', '1', '6', 'unknown', '2'), tests.ids('3', '1', '6', '2'), 'messages_json keeps the given order'
);
select is(
  pg_temp.discussions(variadic given), tests.ids(variadic given),
  format('discussions_json keeps the given order %s', given)
)
from (values (array['3 in elm', '1 in elm', '6 in elm']), (array['6 in elm', '1 in elm', '3 in elm'])) as c (given);
select is(app.messages_json(tests.id('elm'), '{}'), '[]', 'messages_json of no messages is an empty array');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('maya');
select is(
  pg_temp.messages('3', '1') || pg_temp.discussions('3 in elm', '1 in elm'),
  tests.ids('3', '1', '3 in elm', '1 in elm'),
  'messages_json and discussions_json keep messages and posts whose author has no profile'
);

rollback to empty;

-- messages_json shows roots and replies, texts and pictures.
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.discussion('trams', 'maya', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('reply', 'jonas', 'trams in elm', 'root', app.now() - interval '1 day');
update app.messages set reply_count = 3 where id = tests.id('root');
update app.messages set body = null, asset_id = tests.id('picture'), alt_text = 'A tram' where id = tests.id('reply');

select tests.authenticate_as('maya');
select is(
  app.messages_json(m.hub_id, array[m]) -> 0,
  jsonb_build_object(
    'id', m.id, 'discussionId', tests.id('trams in elm'), 'author', tests.discussion_author('elm', 'jonas'),
    'parentMessageId', tests.id(root), 'text', text, 'replyCount', replies, 'createdAt', app.iso(at),
    'isDeleted', false
  ) || tests.picture(picture, c.alt_text),
  title
)
from (
  values
    ('root', null, 'root', null, null, 3, app.now(), 'a root message shows its text, author and reply count'),
    (
      'reply', 'root', null, 'picture', 'A tram', 0, app.now() - interval '1 day',
      'a reply message shows its root and its picture'
    )
) as c (name, root, text, picture, alt_text, replies, at, title)
join app.messages as m on m.id = tests.id(name);

rollback to empty;

-- insert_message checks the Hub of the discussion itself (docs/product.md D3, D4).
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm'), tests.discussion('bikes', 'jonas', 'elm');
select tests.placement('trams', 'ash');
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['root', 'other root']) as name;
select tests.message('elsewhere', 'jonas', 'bikes in elm');
update app.discussions set last_activity_at = app.now() + interval '1 hour';

select is(
  tests.refusal_as(
    caller, format('select app.insert_message(tests.id(%L), tests.id(%L), %L, null, null)', discussion, parent, 'Hello')
  ),
  'PT404 ' || expected, title
)
from (
  values
    ('lena', 'trams in elm', null, 'DISCUSSION_NOT_FOUND', 'a member of another Hub cannot put a message'),
    ('lena', 'unknown', null, 'DISCUSSION_NOT_FOUND', 'nobody can put a message in an unknown discussion'),
    (
      'maya', 'trams in elm', 'elsewhere', 'MESSAGE_NOT_FOUND',
      'a member cannot reply to a message of another discussion'
    ),
    ('maya', 'trams in elm', 'unknown', 'MESSAGE_NOT_FOUND', 'a member cannot reply to an unknown message')
) as c (caller, discussion, parent, expected, title);
select tests.authenticate_as('maya');
create temporary table replies as select app.insert_message(
  tests.id('trams in elm'), tests.id('root'), 'A reply', null, null
) as id;
insert into replies
select app.insert_message(tests.id('trams in elm'), id, 'A reply to a reply', null, null) from replies;
select results_eq(
  'select parent_id, author_id, hub_id from replies join app.messages using (id)',
  $$ select tests.id('root'), tests.id('maya'), tests.id('elm') from generate_series(1, 2) $$,
  'a reply and a reply to it join the thread of the root message, by their author'
);
select set_eq(
  'select id, reply_count from app.messages where parent_id is null',
  $$ values (tests.id('root'), 2), (tests.id('other root'), 0), (tests.id('elsewhere'), 0) $$,
  'insert_message counts replies on their root message only'
);
select results_eq(
  $$ select message_count, last_activity_at from app.discussions where id = tests.id('trams in elm') $$,
  $$ values (2, app.now() + interval '1 hour 2 microseconds') $$,
  'insert_message counts replies as messages of the discussion, and never moves its last activity back'
);
select results_eq(
  'select created_at from replies join app.messages using (id) order by created_at',
  $$ values (app.now() + interval '1 hour 1 microsecond'), (app.now() + interval '1 hour 2 microseconds') $$,
  'insert_message makes each message later than those before it in the discussion'
);

select * from finish();
rollback;
