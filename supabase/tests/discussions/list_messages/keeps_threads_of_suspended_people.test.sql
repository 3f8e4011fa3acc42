select plan(11);

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

select tests.act_as('amara');
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
select tests.act_as('lena');
select is_empty($$ select from app.hidden_message_roots(tests.id('trams in elm'), '-infinity', 'infinity') $$, 'a person outside the Hub gets none of its threads');
reset role;
delete from app.suspensions;
select tests.act_as('amara');
select is(api.list_messages(pg_temp.args()) #>> '{items,0,text}', 'begun by jonas', 'all is back when the person is restored');
reset role;
select set_eq($$ select tests.who_may('select from app.hidden_message_roots(null, null, null)') $$, array['authenticated'], 'members list messages');

select * from finish();
