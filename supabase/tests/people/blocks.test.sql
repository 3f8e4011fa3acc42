begin;
select plan(39);
savepoint empty;

-- block_user ends the follows between the two users (docs/product.md P17).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'jonas');

select tests.authenticate_as('maya');
select is(api.block_user(tests.user_args('jonas')), '{"blocked": true}', 'block_user answers that the user is blocked');
reset role;
select set_eq(
  'select blocker_id, blocked_id, created_at from app.blocks',
  $$ values (tests.id('maya'), tests.id('jonas'), app.now()) $$,
  'block_user records who blocks whom and since when'
);
select set_eq(
  'select tests.follows()', array['maya > lena', 'lena > jonas'],
  'block_user ends the follows between the two users and no others'
);
select app.set_clock_offset('5 minutes');
select tests.authenticate_as('maya');
select api.block_user(tests.user_args('jonas'));
reset role;
select results_eq(
  'select created_at from app.blocks', 'values (now())', 'a repeated block_user keeps the time of the first block'
);

rollback to empty;

-- block_user requires a visible user (docs/product.md P17, P18).
select tests.person('nameless', 1);
select tests.person('jonas');
select tests.person('lena');
select tests.block('lena', 'nameless');

create function pg_temp.refusal(p_caller text, p_user text)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.block_user(tests.user_args(%L))', p_user));

select is(pg_temp.refusal(caller, blocked), expected, title)
from (
  values
    ('nameless', 'jonas', null, 'a user without a profile can block another user'),
    ('nameless', 'nobody', 'PT404 USER_NOT_FOUND', 'a user cannot block an unknown user'),
    ('nameless', 'lena', 'PT404 USER_NOT_FOUND', 'a blocked user cannot find the blocker to block them'),
    ('jonas', 'nameless', 'PT404 USER_NOT_FOUND', 'a user without a profile cannot be blocked')
) as c (caller, blocked, expected, title);
select tests.authenticate_as('jonas');
select is(
  tests.violation_of($$ select api.block_user(tests.user_args('jonas')) $$), 'blocks_are_of_others',
  'a user cannot block themselves (CANNOT_BLOCK_SELF)'
);

rollback to empty;

-- The views of blocks and hidden users depend on the caller.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann', 'olaf', 'ben']) as name;
insert into app.blocks (blocker_id, blocked_id)
values (tests.id('maya'), tests.id('jonas')), (tests.id('lena'), tests.id('maya'));
select app.end_user(tests.id('ann'));
insert into app.suspensions (user_id) values (tests.id('olaf'));

-- The users in a view, each with the reason: '{jonas blocks,lena blockers}'.
create function pg_temp.listed(p_caller text, p_view text, p_reason text default 'v.reason')
returns text[]
language plpgsql
as $$
declare
  v_users text[];
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
  end if;
  execute format(
    'select array_agg(concat_ws('' '', name, %s) order by name)
    from unnest(array[''maya'', ''jonas'', ''lena'', ''ann'', ''olaf'', ''ben'']) as name
    join app.%I as v on v.user_id = tests.id(name)', p_reason, p_view
  ) into v_users;
  perform set_config('role', 'none', true);
  return v_users;
end
$$;

select is(pg_temp.listed(caller, view), expected, title)
from (
  values
    (
      'maya', 'blocked_users', '{jonas blocks,lena blockers}'::text[],
      'blocked_users lists both users whom the caller blocks and blockers'
    ),
    ('jonas', 'blocked_users', '{maya blockers}', 'blocked_users lists the blocker of a blocked caller'),
    ('ben', 'blocked_users', null, 'blocked_users omits blocks between other users'),
    (null, 'blocked_users', null, 'blocked_users is empty for a guest'),
    (
      'maya', 'hidden_users', '{ann account_deletions,jonas blocks,lena blockers,olaf suspensions}',
      'hidden_users lists blocked pairs, deleted and suspended users'
    ),
    (
      'jonas', 'hidden_users', '{ann account_deletions,maya blockers,olaf suspensions}',
      'hidden_users depends on the blocks of the caller'
    ),
    (
      null, 'hidden_users', '{ann account_deletions,olaf suspensions}',
      'hidden_users lists only deleted and suspended users for a guest'
    ),
    (
      'maya', 'users_hidden_from_all', '{ann account_deletions,olaf suspensions}',
      'users_hidden_from_all lists deleted and suspended users'
    )
) as c (caller, view, expected, title);
select is(pg_temp.listed(caller, 'blockers', 'null'), expected, title)
from (
  values
    ('maya', '{lena}'::text[], 'blockers lists the users who block the caller'),
    ('jonas', '{maya}', 'blockers depends on which user calls'),
    ('lena', null, 'blockers omits users whom the caller blocks'),
    (null, null, 'blockers is empty for a guest')
) as c (caller, expected, title);

select bag_eq(
  'select user_id, other_id, reason from app.blocked_pairs',
  $$
    values
      (tests.id('maya'), tests.id('jonas'), 'blocks'), (tests.id('jonas'), tests.id('maya'), 'blockers'),
      (tests.id('maya'), tests.id('lena'), 'blockers'), (tests.id('lena'), tests.id('maya'), 'blocks')
  $$,
  'blocked_pairs lists each block from both sides, with the direction'
);
select tests.authenticate_as('jonas');
select throws_ok('select from app.blocked_pairs', '42501', null, 'blocked_pairs shows a caller nothing');

rollback to empty;

-- list_blocks lists the caller's blocks, newest first (docs/product.md P21).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ben', 'ann', 'tom']) as name;
insert into app.blocks (blocker_id, blocked_id, created_at)
select tests.id('maya'), tests.id(name), app.now() + make_interval(secs => place)
from unnest(array['jonas', 'ben', 'ann']) with ordinality as blocked (name, place);
select tests.block('lena', 'maya');
select tests.block('jonas', 'lena');
-- Without indexes, only the query itself can order its rows.
select tests.disable_index_scans();

select tests.authenticate_as('maya');
select is(
  api.list_blocks('{}') -> 'items' -> 0,
  (select app.user_lite(p) from app.profiles as p where p.username = 'ann')
    || jsonb_build_object('blockedAt', app.iso(app.now() + interval '3 seconds')),
  'an item of list_blocks holds the user and the time of the block'
);
select is(
  tests.usernames_across_pages('list_blocks', '{"limit": 1}'), array['ann', 'ben', 'jonas'],
  'pages of list_blocks return each blocked user once, in order'
);
reset role;
delete from app.profiles where username = 'ben';
select tests.block('ann', 'maya');
select tests.authenticate_as('maya');
select is(
  tests.usernames(api.list_blocks('{}')), array['jonas'],
  'list_blocks omits users without a profile and users who block the caller'
);
select tests.authenticate_as('lena');
select is(tests.usernames(api.list_blocks('{}')), array['maya'], 'list_blocks omits blocks that other users made');

rollback to empty;

-- lock_pair locks the accounts of both users.
-- Profiles would lock the accounts too, by their foreign keys.
select tests.person(name, 1) from unnest(array['maya', 'jonas', 'lena']) as name;

-- A locked row has the locking transaction in its xmax.
create function pg_temp.locked()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' $$;

select is_empty('select pg_temp.locked()', 'no account is locked before a call of lock_pair');
select app.lock_pair(tests.id('maya'), tests.id('jonas'));
select set_eq(
  'select pg_temp.locked()', array[tests.id('maya'), tests.id('jonas')],
  'lock_pair locks both accounts, so that a merge of one waits'
);
select lives_ok(
  $$ select app.lock_pair(tests.id('maya'), tests.id('nobody')) $$, 'lock_pair accepts the id of an unknown user'
);

rollback to empty;

-- unblock_user removes a block of the caller (docs/product.md P15).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('nameless', 1);
select tests.block('maya', 'jonas');
select tests.block('jonas', 'maya');
select tests.block('maya', 'lena');
select tests.block('lena', 'jonas');

create function pg_temp.refusal(p_caller text, p_user text)
returns text
language sql
return tests.refusal_as(p_caller, format('select api.unblock_user(tests.user_args(%L))', p_user));

select tests.authenticate_as('maya');
select is(
  api.unblock_user(tests.user_args('jonas')), '{"blocked": false}',
  'unblock_user unblocks a user who blocks the caller as well'
);
reset role;
select set_eq(
  'select blocker_id, blocked_id from app.blocks',
  $$
    values (tests.id('jonas'), tests.id('maya')), (tests.id('maya'), tests.id('lena')),
    (tests.id('lena'), tests.id('jonas'))
  $$,
  'unblock_user removes the caller''s block of this user and no other block'
);
select is(pg_temp.refusal(caller, blocked), expected, title)
from (
  values
    ('maya', 'jonas', 'PT404 USER_NOT_FOUND', 'unblock_user does not find a blocker whom the caller does not block'),
    ('maya', 'lena', null, 'unblock_user accepts a blocked user'),
    ('maya', 'lena', null, 'unblock_user accepts a user who is not blocked'),
    ('maya', 'nobody', 'PT404 USER_NOT_FOUND', 'unblock_user does not find an unknown user'),
    ('nameless', 'maya', null, 'a user without a profile can call unblock_user')
) as c (caller, blocked, expected, title);
select set_eq(
  'select blocker_id from app.blocks', tests.ids('jonas', 'lena'), 'unblock_user keeps the blocks of other users'
);
delete from app.sessions;
select set_config('request.jwt.claims', tests.claims('maya')::text, true), set_config('role', 'authenticated', true);
select is(
  tests.refusal('unblock_user', tests.user_args('jonas')), 'UNAUTHORIZED', 'an ended session cannot call unblock_user'
);

select * from finish();
rollback;
