begin;
select plan(38);
savepoint empty;

-- delete_message is for the author of the message and for admins (docs/product.md D8).
select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'ben');
select tests.discussion('trams', 'amara', 'elm'), tests.discussion('bikes', 'amara', 'elm');
select tests.placement('trams', 'ash');
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['first', 'second']) as name;
select tests.message('of lena', 'lena', 'trams in elm'), tests.message('of maya', 'maya', 'trams in elm');
select tests.message('elsewhere', 'jonas', 'bikes in elm'), tests.message('in ash', 'ben', 'trams in ash');
update app.discussions as d
set message_count = (select count(*) from app.messages as m where m.discussion_id = d.id);
select tests.membership('elm', 'ben', 'admin');
delete from app.events;

create function pg_temp.args(p_message text, p_change jsonb default '{}')
returns jsonb
language sql
return jsonb_build_object(
  'hubId', tests.id('elm'), 'discussionId', tests.id('trams in elm'), 'messageId', tests.id(p_message)
) || p_change;

select is(
  tests.refusals('delete_message', pg_temp.args('first')),
  tests.refusals_below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND", "maya": "FORBIDDEN"}',
  'the author of a message and admins can delete it, managers and other members cannot'
);
select is(tests.refusals('delete_message', pg_temp.args('first', change)), expected, title)
from (
  values
    (tests.hub_args('oak'), tests.refusals_of_all('HUB_NOT_FOUND'), 'nobody can delete a message in an unknown Hub'),
    (
      jsonb_build_object('discussionId', tests.id('unknown')), tests.refusals_of_all('DISCUSSION_NOT_FOUND'),
      'nobody can delete a message in an unknown discussion'
    ),
    (
      jsonb_build_object('messageId', tests.id('unknown')),
      tests.refusals_of_all('MESSAGE_NOT_FOUND') || '{"lena": "DISCUSSION_NOT_FOUND"}',
      'nobody can delete an unknown message'
    ),
    (
      jsonb_build_object('messageId', tests.id('elsewhere')),
      tests.refusals_of_all('MESSAGE_NOT_FOUND') || '{"lena": "DISCUSSION_NOT_FOUND"}',
      'a message cannot be deleted by the id of another discussion'
    )
) as c (change, expected, title);
select is(
  tests.refusals('delete_message', pg_temp.args('of lena')) ->> 'lena', 'DISCUSSION_NOT_FOUND',
  'a former member cannot delete a message of theirs'
);
select tests.authenticate_as('ben');
select is(
  tests.refusal('delete_message', pg_temp.args('in ash')), 'MESSAGE_NOT_FOUND',
  'an admin of two Hubs cannot delete a message of one by the id of the other'
);
select is(api.delete_message(pg_temp.args('of lena')), '{}', 'an admin can delete the message of a former member');
select tests.authenticate_as('jonas');
select is(api.delete_message(pg_temp.args('first')), '{}', 'a member can delete a message of theirs');
select is(
  tests.refusal('delete_message', pg_temp.args('first')), 'MESSAGE_NOT_FOUND', 'a message cannot be deleted twice'
);
reset role;
select set_eq(
  'select id from app.messages', tests.ids('second', 'of maya', 'elsewhere', 'in ash'),
  'delete_message deletes this message alone'
);
select set_eq(
  'select id, message_count from app.discussions',
  $$ values (tests.id('trams in elm'), 2), (tests.id('bikes in elm'), 1), (tests.id('trams in ash'), 1) $$,
  'a deleted message no longer counts in its discussion'
);
select is_empty('select from app.events', 'deleting a message notifies nobody');
update app.messages set author_id = null where id = tests.id('of maya');
select is(
  tests.refusals('delete_message', pg_temp.args('of maya')) - array['guest', 'signed out', 'nina', 'lena'],
  '{"jonas": "FORBIDDEN", "maya": "FORBIDDEN"}', 'admins alone can delete a message whose author has ended the account'
);
insert into app.suspensions (user_id) values (tests.id('jonas'));
select is(tests.refusals('delete_message', pg_temp.args('second')) ->> caller, expected, title)
from (values
  ('amara', null, 'an admin can delete a message of a suspended user'),
  ('maya', 'MESSAGE_NOT_FOUND', 'a manager or member does not find a message of a suspended user to delete')
) as c (caller, expected, title);
delete from app.suspensions;
update app.messages set author_id = tests.id('maya') where id = tests.id('of maya');
select tests.block('amara', 'jonas');
select is(tests.refusals('delete_message', pg_temp.args(message)) ->> 'jonas', expected, title)
from (values
  (
    'of maya', 'DISCUSSION_NOT_FOUND',
    'a member does not find the message of another to delete below the post of who blocked them'
  ),
  ('second', null, 'a member can delete a message of theirs below the post of who blocked them')
) as c (message, expected, title);

rollback to empty;

-- delete_message keeps the root of a thread until its last reply goes (docs/product.md D8, D9).
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.discussion('trams', 'amara', 'elm');
select tests.message('root', 'jonas', 'trams in elm'), tests.message('other root', 'maya', 'trams in elm');
select tests.message(name, 'maya', 'trams in elm', 'root') from unnest(array['reply', 'last reply']) as name;
select tests.message('reply to other root', 'amara', 'trams in elm', 'other root');
update app.messages set asset_id = tests.id('picture'), alt_text = 'A tram' where id = tests.id('root');
update app.messages as root
set reply_count = (select count(*) from app.messages as reply where reply.parent_id = root.id)
where root.parent_id is null;
update app.discussions set message_count = 5;

create function pg_temp.root()
returns jsonb
language sql
return api.list_messages(tests.discussion_args('trams in elm')) #> '{items,0}';

create function pg_temp.reply_to(p_message text)
returns text
language sql
return tests.refusal(
  'create_message',
  tests.discussion_args('trams in elm', jsonb_build_object('text', 'Hello', 'parentMessageId', tests.id(p_message)))
);

select ok(app.delete_message(tests.id('root')), 'delete_message returns true for an existing message');
select ok(not app.delete_message(tests.id(name)), format('delete_message returns false for an %s message', what))
from (values ('root', 'erased'), ('unknown', 'unknown')) as c (name, what);
select results_eq('select tests.expired_objects()', tests.ids('picture'), 'a deleted root releases its picture');
select is(message_count, 4, 'a deleted root no longer counts as a message') from app.discussions;
select tests.authenticate_as('amara');
select is(
  pg_temp.root() - 'createdAt',
  jsonb_build_object(
    'id', tests.id('root'), 'discussionId', tests.id('trams in elm'), 'parentMessageId', null,
    'author', app.discussion_author(null), 'text', null, 'replyCount', 2, 'isDeleted', true
  ) || tests.picture(),
  'a deleted root with replies stays without author, text, picture and alt text'
);
select is(
  tests.item_ids(
    api.list_messages(tests.discussion_args('trams in elm', jsonb_build_object('parentMessageId', tests.id('root'))))
  ),
  array(select id from unnest(tests.ids('reply', 'last reply')) as id order by id),
  'a deleted root keeps its thread of replies'
);
select is(
  (
    select tests.item_ids(
      jsonb_build_object('items', app.saved_discussion(d) -> 'previewMessages')
    ) from app.discussions as d
  ),
  array(select m.id from app.messages as m where m.id <> tests.id('root') order by m.id limit 3),
  'a saved discussion shows no deleted messages'
);
select is(
  tests.refusal('report_message', jsonb_build_object('messageId', tests.id('root'), 'reason', 'spam')),
  'MESSAGE_NOT_FOUND', 'a deleted root cannot be reported'
);
reset role;
select is(
  tests.refusals(
    'delete_message', tests.discussion_args('trams in elm', jsonb_build_object('messageId', tests.id('root')))
  ),
  tests.refusals_of_all('MESSAGE_NOT_FOUND') || '{"lena": "DISCUSSION_NOT_FOUND"}',
  'a deleted root cannot be deleted again'
);
select is(
  app.new_message_json(tests.id('root')), null, 'a repeated request shows nothing of a message that was deleted since'
);
select tests.authenticate_as('amara');
select is(pg_temp.reply_to('root'), 'MESSAGE_NOT_FOUND', 'a member cannot reply to a deleted root');
select is(pg_temp.reply_to('reply'), null, 'a member can reply to a reply in the thread of a deleted root');
reset role;
delete from app.messages where parent_id = tests.id('root') and author_id = tests.id('amara');
update app.messages set reply_count = 2 where id = tests.id('root');
update app.discussions set message_count = 4;
select app.delete_message(tests.id('reply')), app.delete_message(tests.id('reply to other root'));
select set_eq(
  'select id, reply_count from app.messages where parent_id is null',
  $$ values (tests.id('root'), 1), (tests.id('other root'), 0) $$,
  'a root counts one reply less after the deletion of a reply'
);
select app.delete_message(tests.id('last reply'));
select results_eq(
  'select id from app.messages', tests.ids('other root'), 'a deleted root goes with its last reply, another root stays'
);
select is(
  message_count, 1, 'a deleted root is not subtracted twice from the messages of its discussion'
) from app.discussions;

rollback to empty;

-- Messages without content look deleted and do not count (docs/product.md D9).
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.discussion('trams', 'amara', 'elm');
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['text', 'pictured', 'rude']) as name;
update app.messages set body = null, asset_id = tests.id('picture') where id = tests.id('pictured');
update app.discussions set message_count = 3;
select tests.remove_as_staff(tests.report('amara', p_message => 'rude'));
select is(message_count, 2, 'a message that staff removed no longer counts') from app.discussions;
select app.erase_belongings(tests.id('jonas'));
select is(
  message_count, 1, 'a picture without text no longer counts after the account of its author ended'
) from app.discussions;
-- An author of null is in no list, but is not outside of a list either.
insert into app.suspensions (user_id) values (tests.id('lena'));
select tests.authenticate_as('maya');
select set_eq(
  $$
    select (item ->> 'id')::uuid, (item ->> 'isDeleted')::boolean
    from jsonb_array_elements(api.list_messages(tests.discussion_args('trams in elm')) -> 'items') as item
  $$,
  $$ values (tests.id('text'), false), (tests.id('pictured'), true), (tests.id('rude'), true) $$,
  'a text of an ended account is not deleted; its picture and a message that staff removed are'
);
reset role;
select is(
  tests.refusals(
    'delete_message', tests.discussion_args('trams in elm', jsonb_build_object('messageId', tests.id('text')))
  ) -> 'amara',
  null, 'an admin can delete a text of an ended account'
);

select * from finish();
rollback;
