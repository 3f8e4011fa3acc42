begin;
select plan(55);
savepoint empty;

-- block_user: ends what is between the two
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');

select tests.authenticate_as('maya');
select is(api.block_user(tests.user('jonas')), '{"blocked": true}', 'the state is told');
reset role;
select set_eq(
  'select blocker_id, blocked_id, created_at from app.blocks', $$ values (tests.id('maya'), tests.id('jonas'), app.now()) $$, 'the block stands'
);
select set_eq('select tests.follows()', array['maya > lena', 'lena > jonas'], 'follows between the two end, both ways, and no others');
select tests.follow('maya', 'jonas');
select app.set_clock_offset('5 minutes');
select tests.authenticate_as('maya');
select is(api.block_user(tests.user('jonas')), '{"blocked": true}', 'again it is the same');
reset role;
select results_eq('select created_at from app.blocks', 'values (now())', 'and stays of its time');

rollback to empty;

-- block_user: is for who has a session
select tests.person('guest', 1);
select tests.person('jonas');
select tests.person('lena');
select tests.block('lena', 'guest');
select tests.authenticate_as('guest');
select is(api.block_user(tests.user('jonas')), '{"blocked": true}', 'who has no profile blocks as well');
select is(tests.error_of($$ select api.block_user(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'but nobody unknown');
select is(tests.error_of($$ select api.block_user(tests.user('lena')) $$) ->> 'code', 'USER_NOT_FOUND', 'nor who is hidden from them');
select tests.authenticate_as('jonas');
select is(tests.error_of($$ select api.block_user(tests.user('guest')) $$) ->> 'code', 'USER_NOT_FOUND', 'nor who has no profile');
select is(
  tests.violation_of($$ select api.block_user(tests.user('jonas')) $$), 'blocks_are_of_others', 'nor themselves: CANNOT_BLOCK_SELF'
);
select tests.authenticate_as_guest();
select throws_ok($$ select api.block_user(tests.user('jonas')) $$, '42501', null, 'a guest blocks nobody');

rollback to empty;

-- blocked_pairs: stand on both sides
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select app.set_clock_offset('1 day');
select tests.block('lena', 'maya');

select bag_eq(
  'select user_id, other_id, since from app.blocked_pairs',
  $$
    values
      (tests.id('maya'), tests.id('jonas'), app.now() - interval '1 day'), (tests.id('jonas'), tests.id('maya'), app.now() - interval '1 day'),
      (tests.id('maya'), tests.id('lena'), app.now()), (tests.id('lena'), tests.id('maya'), app.now())
  $$,
  'a block parts both, since it was made'
);
select tests.authenticate_as('jonas');
select set_eq(
  'select user_id, other_id from app.blocked_pairs', $$ values (tests.id('maya'), tests.id('jonas')), (tests.id('jonas'), tests.id('maya')) $$,
  'the policies that ask in one''s name see the blocks of one''s own, from both sides'
);
select tests.authenticate_as_guest();
select is_empty('select from app.blocked_pairs', 'a guest sees none');
reset role;
select set_eq(
  $$ select tests.who_may('select from app.blocked_pairs') $$, array['anon', 'authenticated'], 'policies ask for it in the name of every caller'
);

rollback to empty;

-- blocked_users: stand on either side
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');

select tests.authenticate_as('maya');
select set_eq(
  'select user_id from app.blocked_users', array[tests.id('jonas'), tests.id('lena')], 'whom the caller has blocked, and who has blocked the caller'
);
select tests.authenticate_as('jonas');
select set_eq('select user_id from app.blocked_users', array[tests.id('maya')], 'for whoever is blocked as well');
select tests.authenticate_as('ann');
select is_empty('select user_id from app.blocked_users', 'blocks of others are theirs');
select tests.authenticate_as_guest();
select is_empty('select user_id from app.blocked_users', 'between a guest and others stands none');
reset role;
select set_eq(
  $$ select tests.who_may('select user_id from app.blocked_users') $$, array['anon', 'authenticated'], 'policies ask for it in the name of every caller'
);

rollback to empty;

-- blockers: are who has blocked the caller
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'jonas');
select tests.block('jonas', 'lena');

select tests.authenticate_as('jonas');
select set_eq('select user_id from app.blockers', array[tests.id('maya'), tests.id('lena')], 'who has blocked the caller');
select tests.authenticate_as('maya');
select is_empty('select user_id from app.blockers', 'and not whom they have blocked');
select tests.authenticate_as('lena');
select set_eq('select user_id from app.blockers', array[tests.id('jonas')], 'each is told of their own');
select tests.authenticate_as_guest();
select is_empty('select user_id from app.blockers', 'nobody has blocked a guest');
reset role;
select set_eq(
  $$ select tests.who_may('select user_id from app.blockers') $$, array['anon', 'authenticated'], 'policies ask for it in the name of every caller'
);

rollback to empty;

-- hidden_users: are blocked or hidden from all
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'olaf']) as name;
insert into app.blocks (blocker_id, blocked_id, created_at)
values (tests.id('maya'), tests.id('jonas'), app.now() - interval '1 day'), (tests.id('lena'), tests.id('maya'), app.now() - interval '2 days');
select app.end_user(tests.id('ann'));
update app.account_deletions set departed_at = app.now() - interval '3 days';
insert into app.suspensions (user_id, suspended_at) values (tests.id('olaf'), app.now() - interval '4 days');

create function pg_temp.since(p_name text, p_days integer)
returns table (user_id uuid, since timestamptz)
language sql
as $$ select tests.id(p_name), app.now() - p_days * interval '1 day' $$;

select tests.authenticate_as('maya');
select set_eq(
  'select user_id, since from app.hidden_users',
  $$
    select * from pg_temp.since('jonas', 1) union all select * from pg_temp.since('lena', 2)
    union all select * from pg_temp.since('ann', 3) union all select * from pg_temp.since('olaf', 4)
  $$,
  'hidden from the caller: blocked by them, blocking them, deleted, suspended, and since when'
);
select set_eq(
  'select user_id, since from app.blocked_users', $$ select * from pg_temp.since('jonas', 1) union all select * from pg_temp.since('lena', 2) $$,
  'the first two are blocked users'
);
select set_eq('select user_id, since from app.blockers', $$ select * from pg_temp.since('lena', 2) $$, 'the second is a blocker');
select set_eq(
  'select user_id, since from app.users_hidden_from_all', $$ select * from pg_temp.since('ann', 3) union all select * from pg_temp.since('olaf', 4) $$,
  'the last two are hidden from everybody'
);
select tests.authenticate_as('jonas');
select set_eq('select user_id from app.hidden_users', tests.ids('maya', 'ann', 'olaf'), 'another caller has blocks of their own');
select tests.authenticate_as_guest();
select set_eq('select user_id from app.hidden_users', tests.ids('ann', 'olaf'), 'a guest has none');
reset role;
select set_eq(
  format('select tests.who_may(%L)', 'select from app.' || relation), array['anon', 'authenticated'], 'policies read ' || relation || ' in the name of every caller'
)
from unnest(array['hidden_users', 'users_hidden_from_all']) as relation;

rollback to empty;

-- list_blocks: is newest first
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ben', 'ann', 'tom']) as name;
insert into app.blocks (blocker_id, blocked_id, created_at)
select tests.id('maya'), tests.id(name), app.now() + make_interval(secs => place)
from unnest(array['jonas', 'ben', 'ann']) with ordinality as blocked (name, place);
select tests.block('lena', 'maya');
select tests.block('jonas', 'lena');

select is(tests.refusal_of(null, $$ select api.list_blocks('{}') $$), '42501', 'guests block nobody');
select tests.authenticate_as('maya');
select is(tests.usernames(api.list_blocks('{}')), array['ann', 'ben', 'jonas'], 'whom one blocks, and not by whom one is blocked');
select is(
  api.list_blocks('{}') -> 'items' -> 0,
  (select app.user_lite(p) from app.profiles as p where p.username = 'ann')
    || jsonb_build_object('blockedAt', app.iso(app.now() + interval '3 seconds')),
  'who they are, and since when'
);
select is(tests.on_pages('list_blocks', '{"limit": 1}'), array['ann', 'ben', 'jonas'], 'page by page');
select is(tests.refusal('list_blocks', '{"cursor": "foreign"}'), 'VALIDATION_FAILED', 'by cursors of its own');
reset role;
delete from app.profiles where username = 'ben';
select tests.block('ann', 'maya');
select tests.authenticate_as('maya');
select is(tests.usernames(api.list_blocks('{}')), array['jonas'], 'without who has left, or is not there for the caller');
select tests.authenticate_as('lena');
select is(api.list_blocks('{}'), jsonb_build_object('items', jsonb_build_array(
  (select app.user_lite(p) || jsonb_build_object('blockedAt', app.iso(app.now())) from app.profiles as p where p.username = 'maya')
), 'nextCursor', null), 'each their own');

rollback to empty;

-- lock_pair: holds both accounts
-- Without profiles, whose references would hold them as well.
select tests.person(name, 1) from unnest(array['maya', 'jonas', 'lena']) as name;

-- A row that is locked has the transaction in its xmax.
create function pg_temp.held()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' $$;

select is_empty('select pg_temp.held()', 'nobody is held');
select app.lock_pair(tests.id('maya'), tests.id('jonas'));
select set_eq(
  'select pg_temp.held()', array[tests.id('maya'), tests.id('jonas')], 'then both, until a merge of one of them is there to be seen'
);
select lives_ok($$ select app.lock_pair(tests.id('maya'), tests.id('nobody')) $$, 'who is not there is not held');
select set_eq($$ select tests.who_may('select app.lock_pair(null, null)') $$, array['authenticated'], 'operations of members hold');

rollback to empty;

-- put_block: is for members inside operations
select set_eq($$ select tests.who_may('select app.put_block(null)') $$, array['authenticated'], 'a block is made in the name of who has a session');

rollback to empty;

-- unblock_user: takes a block back
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('guest', 1);
select tests.block('maya', 'jonas');
select tests.block('jonas', 'maya');
select tests.block('maya', 'lena');
select tests.block('lena', 'jonas');

select tests.authenticate_as('maya');
select is(api.unblock_user(tests.user('jonas')), '{"blocked": false}', 'the state is told, of whoever has blocked the caller as well');
reset role;
select set_eq(
  'select blocker_id, blocked_id from app.blocks',
  $$ values (tests.id('jonas'), tests.id('maya')), (tests.id('maya'), tests.id('lena')), (tests.id('lena'), tests.id('jonas')) $$,
  'the caller''s block of this person is gone, and no other'
);
select tests.authenticate_as('maya');
select is(
  tests.error_of($$ select api.unblock_user(tests.user('jonas')) $$) ->> 'code', 'USER_NOT_FOUND', 'who is hidden and not blocked is not there'
);
select is(api.unblock_user(tests.user('lena')), '{"blocked": false}', 'another is taken back');
select is(api.unblock_user(tests.user('lena')), '{"blocked": false}', 'where there is none, none goes');
select is(tests.error_of($$ select api.unblock_user(tests.user('nobody')) $$) ->> 'code', 'USER_NOT_FOUND', 'of nobody there is none');
select tests.authenticate_as('guest');
select is(api.unblock_user(tests.user('maya')), '{"blocked": false}', 'who has no profile may ask as well');
select tests.authenticate_as_guest();
select throws_ok($$ select api.unblock_user(tests.user('jonas')) $$, '42501', null, 'a guest has none');
reset role;
select is(count(*)::integer, 2, 'those of others stay') from app.blocks;
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok($$ select api.unblock_user(tests.user('jonas')) $$, 'PT401', 'UNAUTHORIZED', 'a dead session takes nothing back');

select * from finish();
rollback;
