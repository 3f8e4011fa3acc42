begin;
select plan(31);
savepoint empty;

-- A discussion counts the messages of others that the viewer has not read (docs/product.md D10).
select tests.person(name, 4) from unnest(array['amara', 'maya', 'jonas', 'lena']) as name;
select tests.hub('elm', 'amara'), tests.hub('ash', 'lena');
select tests.membership('elm', 'maya', p_joined_at => app.now() - interval '1 day');
select tests.membership('elm', 'jonas', p_joined_at => app.now() - interval '1 day');
select tests.discussion(
  name, 'jonas', 'elm', app.now() - interval '3 days'
) from unnest(array['trams', 'bikes']) as name;
select tests.placement('trams', 'ash');
select tests.asset('picture', 'jonas');
select tests.message('before the join', 'jonas', 'trams in elm', null, app.now() - interval '2 days');
select tests.message(name, author, 'trams in elm', parent, app.now() - ago)
from (
  values
    ('first', 'jonas', null, interval '5 hours'), ('second', 'amara', null, interval '4 hours'),
    ('own', 'maya', null, interval '3 hours'), ('reply', 'jonas', 'second', interval '2 hours'),
    ('pictured', 'jonas', null, interval '1 hour')
) as c (name, author, parent, ago);
update app.messages set body = null, asset_id = tests.id('picture') where id = tests.id('pictured');
update app.discussions set last_activity_at = app.now() - interval '1 hour' where id = tests.id('trams in elm');
select tests.message('elsewhere', 'jonas', 'bikes in elm'), tests.message('in ash', 'lena', 'trams in ash');

create function pg_temp.unread(p_caller text, p_discussion text default 'trams in elm')
returns integer
language sql
as $$
  select item.value::integer
  from jsonb_path_query(
    tests.value_as(p_caller, format('api.list_discussions(%L)', tests.hub_args('elm'))), '$.items[*]'
  ) as listed (value)
  cross join lateral (select listed.value ->> 'unreadCount') as item (value)
  where listed.value ->> 'id' = tests.id(p_discussion)::text
$$;

create function pg_temp.read(p_caller text, p_discussion text default 'trams in elm')
returns jsonb
language sql
return tests.value_as(p_caller, format('api.mark_discussion_read(%L)', jsonb_build_object(
  'hubId', tests.id('elm'), 'discussionId', tests.id(p_discussion)
)));

select is(
  tests.refusals(
    'mark_discussion_read', jsonb_build_object('hubId', tests.id('elm'), 'discussionId', tests.id('trams in elm'))
  ),
  tests.refusals_below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}',
  'only members at level 4 mark discussions as read'
);
select is(
  tests.refusals(
    'mark_discussion_read', jsonb_build_object('hubId', tests.id(hub), 'discussionId', tests.id(discussion))
  ) -> 'maya',
  to_jsonb(expected), title
)
from (
  values
    ('oak', 'trams in elm', 'HUB_NOT_FOUND', 'nobody marks a discussion as read by the id of an unknown Hub'),
    ('ash', 'trams in elm', 'DISCUSSION_NOT_FOUND', 'nobody marks a discussion as read by the id of another Hub'),
    ('elm', 'unknown', 'DISCUSSION_NOT_FOUND', 'nobody marks an unknown discussion as read')
) as c (hub, discussion, expected, title);
select is(
  pg_temp.unread('maya'), 4,
  'messages of others since the viewer joined are unread: texts, pictures and replies, and neither their own nor '
  'earlier ones'
);
select is(pg_temp.unread('maya', 'bikes in elm'), 1, 'each discussion counts its own unread messages');
select is(pg_temp.unread('maya'), 4, 'listing discussions marks nothing as read');
select tests.value_as('maya', format('api.list_messages(%L)', tests.discussion_args('trams in elm')));
select is(pg_temp.unread('maya'), 4, 'listing messages marks nothing as read');
select tests.value_as(
  'maya', format('api.create_message(%L)', tests.discussion_args('trams in elm', '{"text": "Hello"}'))
);
select is(pg_temp.unread('maya'), 4, 'writing a message marks nothing as read');
select tests.authenticate_as('maya');
select api.save_discussion(tests.discussion_args('trams in elm'));
select is(
  api.list_saved_discussions('{}') #> '{items,0,unreadCount}', '4',
  'a saved discussion shows how many messages are unread'
);
reset role;
select is(pg_temp.read('maya'), '{"unreadCount": 0}', 'mark_discussion_read answers that nothing is unread');
select is(
  array[pg_temp.unread('maya'), pg_temp.unread('maya', 'bikes in elm'), pg_temp.unread('jonas')], array[0, 1, 3],
  'marking a discussion as read changes no other discussion or member'
);
select is(
  (select r.read_until from app.discussion_reads as r),
  (select d.last_activity_at from app.discussions as d where d.id = tests.id('trams in elm')),
  'the read position is the time of the latest message'
);
select tests.value_as(
  'jonas', format('api.create_message(%L)', tests.discussion_args('trams in elm', '{"text": "Again"}'))
);
select is(pg_temp.unread('maya'), 1, 'a message after the read position is unread, also of the same moment');
update app.discussion_reads set read_until = app.now() + interval '1 hour';
select pg_temp.read('maya');
select results_eq(
  'select read_until from app.discussion_reads', $$ values (app.now() + interval '1 hour') $$,
  'a read position never moves back'
);

rollback to empty;

-- Messages that the viewer cannot see are not unread, and the count ends at 100 (docs/product.md D10, H25).
select tests.person(name, 4) from unnest(array['amara', 'maya', 'jonas', 'lena']) as name;
select tests.hub('elm', 'amara');
select tests.membership(
  'elm', name, p_joined_at => app.now() - interval '1 day'
) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm'), tests.message('reply', 'amara', 'trams in elm', 'root');
select tests.message('of lena', 'lena', 'trams in elm'), tests.message('rude', 'amara', 'trams in elm');
update app.messages set reply_count = 1 where id = tests.id('root');
update app.discussions set message_count = 4;

create function pg_temp.unread(p_caller text default 'maya')
returns integer
language sql
return (
  tests.value_as(p_caller, format('api.list_discussions(%L)', tests.hub_args('elm'))) #>> '{items,0,unreadCount}'
)::integer;

select is(pg_temp.unread(), 4, 'four messages of others are unread');
select app.delete_message(tests.id('root'));
select is(pg_temp.unread(), 3, 'a deleted root is not unread');
select tests.remove_as_staff(tests.report('jonas', p_message => 'rude'));
select is(pg_temp.unread(), 2, 'a message that staff removed is not unread');
insert into app.suspensions (user_id) values (tests.id('lena'));
select is(pg_temp.unread(), 1, 'a message of a suspended user is not unread');
select tests.block('maya', 'amara');
select is(pg_temp.unread(), 1, 'a message of a blocked member in the discussion of another post is unread');
update app.messages set author_id = null where id = tests.id('reply');
select is(pg_temp.unread(), 1, 'a text of an ended account is unread');
select tests.message('message ' || n, 'jonas', 'trams in elm') from generate_series(1, 98) as n;
select is(pg_temp.unread(), 99, 'all of 99 unread messages are counted');
select tests.message('message ' || n, 'jonas', 'trams in elm') from generate_series(99, 101) as n;
select is(pg_temp.unread(), 100, 'at most 100 unread messages are counted');
delete from app.memberships where user_id = tests.id('maya');
select tests.membership('elm', 'maya', p_joined_at => app.now() + interval '1 second');
select is(pg_temp.unread(), 0, 'messages from before a member returned are not unread');

rollback to empty;

-- The count of unread messages reads one index, and policies show read positions to their owners only.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm'), tests.placement('trams', 'ash');

create function pg_temp.refusal(p_caller text, p_user text, p_discussion text)
returns text
language sql
return tests.refusal_as(p_caller, format(
  'insert into app.discussion_reads (user_id, discussion_id, read_until) values (%L, %L, app.now())', tests.id(p_user),
  tests.id(p_discussion)
));

select is(pg_temp.refusal(caller, reader, discussion), expected, title)
from (values
  ('maya', 'maya', 'trams in elm', null, 'a member can store a read position in their Hub'),
  ('maya', 'jonas', 'trams in elm', '42501', 'a member cannot store a read position of another member'),
  ('maya', 'maya', 'trams in ash', '42501', 'a non-member cannot store a read position in the Hub')
) as c (caller, reader, discussion, expected, title);
select tests.authenticate_as('jonas');
select is_empty('select from app.discussion_reads', 'a user sees no read position of others');
update app.discussion_reads set read_until = 'infinity';
reset role;
select results_eq(
  'select read_until from app.discussion_reads', 'values (app.now())', 'a user cannot change a read position of others'
);
select matches(
  (
    select string_agg(plan.line, ' ')
    from (select indexdef as line from pg_indexes where indexname = 'messages_discussion_id_idx') as plan
  ),
  'INCLUDE \(author_id\) WHERE \(NOT is_deleted\)$',
  'the index of messages by discussion holds all that the count of unread messages reads'
);
delete from app.discussions where id = tests.id('trams in elm');
select is_empty('select from app.discussion_reads', 'deleting a discussion deletes its read positions');

select * from finish();
rollback;
