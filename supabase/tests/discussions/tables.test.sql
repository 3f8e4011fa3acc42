begin;
select plan(34);
savepoint empty;

-- Policies show discussions and messages to members of their Hub only (docs/product.md D1).
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placement('trams', 'ash');
select tests.message('in elm', 'jonas', 'trams in elm');
select tests.message('in ash', 'jonas', 'trams in ash');

select tests.authenticate_as('maya');
select results_eq(
  'select id from app.discussions', tests.ids('trams in elm'),
  'a member sees the discussions of their Hub and no others'
);
select results_eq(
  'select id from app.messages', tests.ids('in elm'), 'a member sees the messages of their Hub and no others'
);
select tests.authenticate_as('lena');
select results_eq(
  'select id from app.discussions', tests.ids('trams in ash'), 'a non-member sees no discussion of the Hub'
);
select results_eq('select id from app.messages', tests.ids('in ash'), 'a non-member sees no message of the Hub');

rollback to empty;

-- app.discussions has one row a placement (docs/product.md D1).
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');

select results_eq(
  'select message_count, last_activity_at from app.discussions', 'values (0, app.now())',
  'a new discussion has no messages'
);
select is(tests.violation_of(statement), expected, title)
from (values
  (
    $$ insert into app.discussions (hub_id, post_id) values (tests.id('elm'), tests.id('trams')) $$,
    'discussions_one_per_placement',
    'a placement cannot have a second discussion'
  ),
  (
    $$ insert into app.discussions (hub_id, post_id) values (tests.id('ash'), tests.id('trams')) $$,
    'discussions_are_of_placements',
    'a post without a placement in a Hub has no discussion'
  ),
  (
    'update app.discussions set message_count = -1', 'discussions_message_count_is_not_negative',
    'the message count of a discussion cannot be negative'
  )
) as c (statement, expected, title);
delete from app.placements;
select is_empty('select from app.discussions', 'deleting a placement deletes its discussion');

rollback to empty;

-- app.messages checks content and threads.
select tests.elm();
select tests.asset('picture', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message('reply', 'maya', 'trams in elm', 'root');

create function pg_temp.violation(p_author text, p_body text, p_asset text)
returns text
language sql
return tests.violation_of(format(
  'insert into app.messages (discussion_id, hub_id, author_id, body, asset_id) values (%L, %L, %L, %L, %L)',
  tests.id('trams in elm'), tests.id('elm'), tests.id(p_author), p_body, tests.id(p_asset)
));

select is(pg_temp.violation(author, body, asset), expected, title)
from (values
  ('jonas', null, null, 'messages_have_content', 'a message with an author needs a text or a picture'),
  ('jonas', null, 'picture', null, 'a message with a picture needs no text'),
  (null, null, null, null, 'a message without an author needs no text'),
  ('jonas', '', null, 'messages_body_length', 'a message cannot have an empty text'),
  ('jonas', '!', null, null, 'a message can have a text of 1 character'),
  ('jonas', repeat('é', 2000), null, null, 'a message can have a text of 2000 characters'),
  ('jonas', repeat('é', 2001), null, 'messages_body_length', 'a message cannot have a text of 2001 characters')
) as c (author, body, asset, expected, title);
select is(tests.violation_of(statement), expected, title)
from (values
  (
    $$ select tests.message('elsewhere', 'maya', 'bikes in elm', 'root') $$, 'messages_parent_has_same_discussion',
    'a reply cannot be in another discussion than its root'
  ),
  (
    $$ update app.messages set reply_count = 1 where id = tests.id('reply') $$, 'messages_replies_have_none',
    'a reply cannot have replies of its own'
  ),
  ('delete from app.assets', 'messages_asset_id_fkey', 'a picture cannot be deleted while a message shows it')
) as c (statement, expected, title);
delete from app.messages where id = tests.id('root');
select is_empty(
  $$ select from app.messages where id = tests.id('reply') $$, 'deleting a root message deletes its replies'
);
select tests.message('of maya', 'maya', 'trams in elm');
delete from app.users where id = tests.id('maya');
select results_eq(
  $$ select author_id from app.messages where id = tests.id('of maya') $$, 'values (null::uuid)',
  'deleting a user keeps their messages without an author'
);
delete from app.discussions;
select is_empty('select from app.messages', 'deleting a discussion deletes its messages');

rollback to empty;

-- Messages release pictures that nothing shows any more.
select tests.elm();
select tests.asset(name, 'jonas') from unnest(array['one', 'two']) as name;
select tests.discussion('trams', 'jonas', 'elm');
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['first', 'second', 'third']) as name;
update app.messages set asset_id = tests.id('one') where id = any (tests.ids('first', 'second'));
update app.messages set asset_id = tests.id('two') where id = tests.id('third');

update app.messages set asset_id = null where id = tests.id('first');
select is_empty('select tests.expired_objects()', 'a picture stays while another message shows it');
update app.messages set asset_id = null where id = tests.id('second');
select set_eq('select tests.expired_objects()', tests.ids('one'), 'a picture is released when no message shows it');
delete from app.messages where id = tests.id('third');
select set_eq('select tests.expired_objects()', tests.ids('one', 'two'), 'deleting a message releases its picture');

rollback to empty;

-- Policies let users read and write their own saved discussions only.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placement('trams', 'ash');

create function pg_temp.refusal(p_caller text, p_user text, p_discussion text)
returns text
language sql
return tests.refusal_as(
  p_caller,
  format(
    'insert into app.saved_discussions (user_id, discussion_id) values (%L, %L)', tests.id(p_user),
    tests.id(p_discussion)
  )
);

select is(pg_temp.refusal(caller, saver, discussion), expected, title)
from (values
  ('maya', 'maya', 'trams in elm', null, 'a manager can save a discussion of their Hub'),
  ('maya', 'jonas', 'trams in elm', '42501', 'a member cannot save a discussion for another member'),
  ('maya', 'maya', 'trams in ash', '42501', 'a non-member cannot save a discussion of the Hub'),
  ('jonas', 'jonas', 'trams in elm', null, 'a member can save a discussion of their Hub')
) as c (caller, saver, discussion, expected, title);
select tests.authenticate_as('jonas');
select results_eq(
  'select user_id from app.saved_discussions', tests.ids('jonas'), 'a user sees only discussions they saved themselves'
);
delete from app.saved_discussions;
reset role;
select results_eq(
  'select user_id, saved_at from app.saved_discussions', $$ values (tests.id('maya'), app.now()) $$,
  'a user cannot delete what another user saved'
);
select is(
  tests.violation_of($$ insert into app.saved_discussions select * from app.saved_discussions $$),
  'saved_discussions_pkey',
  'a user cannot save one discussion twice'
);
delete from app.discussions where id = tests.id('trams in elm');
select is_empty('select from app.saved_discussions', 'deleting a discussion unsaves it for everybody');
insert into app.saved_discussions (user_id, discussion_id) values (tests.id('lena'), tests.id('trams in ash'));
delete from app.users where id = tests.id('lena');
select is_empty('select from app.saved_discussions', 'deleting a user deletes their list of saved discussions');

select * from finish();
rollback;
