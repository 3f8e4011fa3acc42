begin;
select plan(49);
savepoint empty;

-- find_accounts finds whole values alone, masks phones and audits each search (docs/product.md S5).
select tests.person('maya', 3), tests.person('jonas');
select tests.log_in_as('nina', 'staff_support');
create function pg_temp.found(p_query text)
returns setof text
language sql
as $$ select username::text from staff.find_accounts(p_query) $$;
select results_eq(
  format('select pg_temp.found(%L)', query), array['maya'], 'find_accounts finds an account by its ' || what
)
from (
  values (tests.id('maya')::text, 'id'), (tests.phone_of('maya'), 'whole phone'), (' @Maya ', 'username')
) as c (query, what);
select is_empty(format('select pg_temp.found(%L)', query), 'find_accounts finds no account by ' || what)
from (values (left(tests.phone_of('maya'), -1), 'a part of its phone'), ('%', 'a pattern')) as c (query, what);
-- Four further ways to write a phone, for the audit log.
select pg_temp.found('tel:' || tests.phone_of('maya')), pg_temp.found('Maya, ' || tests.phone_of('maya'));
select pg_temp.found(substr(tests.phone_of('maya'), 2)), pg_temp.found(' ' || substr(tests.phone_of('maya'), 2));
select is(
  phone_hint, left(tests.phone_of('maya'), 3) || '…' || right(tests.phone_of('maya'), 2),
  'staff.accounts masks the phone of a user'
)
from staff.accounts where username = 'maya';
reset session authorization;
select is(count(*), 9::bigint, 'the audit log has every search for accounts') from tests.audit_entries('find_accounts');
select is_empty(
  $$ select from staff.audit_log where details::text ~ right(tests.phone_of('maya'), 6) $$,
  'the audit log has no phone that staff searched for'
);

rollback to empty;

-- restore_hub leaves no Hub without an admin (docs/product.md S15, H17).
select tests.elm();
select tests.hub('oak', 'lena');
select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_hub(tests.id(name), 'hate', 'It hates a neighbour.') from unnest(array['elm', 'oak']) as name;
reset session authorization;
select app.end_user(tests.id('amara')), app.end_user(tests.id('lena'));
select is_empty(
  $$ select from app.suspended_memberships where user_id = tests.id('amara') $$,
  'an ended account loses its place in a suspended Hub'
);
set local session authorization nina;
select staff.restore_hub(tests.id('elm'), 'a mistake'), staff.restore_hub(tests.id('oak'), 'a mistake');
reset session authorization;
select results_eq(
  $$ select user_id from app.memberships where hub_id = tests.id('elm') and role = 'admin' $$, array[tests.id('maya')],
  'another member becomes admin of a restored Hub without one'
);
select set_eq(
  'select id from app.hubs where closed_at is null', tests.ids('elm'), 'a restored Hub closes only if it has no members'
);

rollback to empty;

-- suspend_hub hides a Hub from everybody until restore_hub (docs/product.md S15).
select tests.elm();
select tests.post('in elm', 'maya', 'private_locked_hub'), tests.placement('in elm', 'elm');
create temporary table before as select user_id, role, joined_at from app.memberships where hub_id = tests.id('elm');
select tests.invite_link('door', 'elm');
create function pg_temp.sees(p_viewer text)
returns jsonb
language sql
return tests.value_as(p_viewer, $$
  array(
    select 'hub' from app.hubs where id = tests.id('elm')
    union all select 'post' from app.posts where id = tests.id('in elm')
    union all select 'member' from app.memberships where hub_id = tests.id('elm') and user_id = tests.id('maya')
  )
$$);

select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_hub(tests.id('elm'), 'hate', 'It hates a neighbour.');
select throws_ok(
  format('select staff.suspend_hub(%L, %L, %L)', tests.id('elm'), 'hate', 'again'), 'PT404', 'HUB_NOT_FOUND',
  'suspend_hub finds no Hub that is suspended already'
);
reset session authorization;
select is(pg_temp.sees('jonas'), '[]', 'a member sees nothing of a suspended Hub');
select is(pg_temp.sees('maya'), '["post"]', 'an author sees only their own post in a suspended Hub');
select throws_ok(
  format('select app.link_of(%L)', tests.hash('door')), 'PT404', 'INVITE_LINK_NOT_FOUND',
  'an invite link of a suspended Hub is not found'
);
select is_empty(
  $$ select from app.find_hubs('elm', 'elm', app.decode_hit('list', null), 9) $$,
  'Hub search leaves out a suspended Hub'
);
select results_eq(
  $$ select member_count, closed_at from app.hubs where id = tests.id('elm') $$, 'values (0, null::timestamptz)',
  'a suspended Hub counts no members and is not closed'
);

set local session authorization nina;
select staff.restore_hub(tests.id('elm'), 'a mistake');
select throws_ok(
  format('select staff.restore_hub(%L, %L)', tests.id('elm'), 'again'), 'PT404', 'HUB_NOT_FOUND',
  'restore_hub finds no Hub that is not suspended'
);
reset session authorization;
select bag_eq(
  $$ select user_id, role, joined_at from app.memberships where hub_id = tests.id('elm') $$, 'select * from before',
  'a restored Hub has its members with their roles and times'
);
select is_empty('select from app.suspended_memberships', 'a restored Hub has no suspended memberships');
select is(member_count, 3, 'a restored Hub counts its members') from app.hubs where id = tests.id('elm');
select is(
  pg_temp.sees('jonas'), '["hub", "post", "member"]', 'a member sees a restored Hub, its posts and its members'
);

rollback to empty;

-- suspend_user hides a user from everybody until restore_user (docs/product.md S6, S11).
select tests.elm();
select tests.session('maya');
select tests.post('trams', 'maya'), tests.post('buses', 'jonas'), tests.comment('hers', 'maya', 'buses');
select tests.device_token('phone', 'maya'), tests.device_token('phone of a merged account', 'maya');
update app.device_tokens set session_id = null where token_hash = tests.hash('phone of a merged account');
select tests.report('jonas', p_user => 'maya');
create function pg_temp.sees(p_viewer text)
returns jsonb
language sql
return tests.value_as(p_viewer, $$
  array(
    select 'post' from app.posts where author_id = tests.id('maya')
    union all select 'comment' from app.comments where author_id = tests.id('maya')
    union all select 'profile' from app.profiles where user_id = tests.id('maya')
  )
$$);

select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_user(tests.id('maya'), 'spam', 'She sells pills.');
select throws_ok(
  format('select staff.suspend_user(%L, %L, %L)', tests.id('nobody'), 'spam', 'Pills.'), 'PT404', 'USER_NOT_FOUND',
  'suspend_user finds no unknown user'
);
select throws_ok(
  format('select staff.%s(%L, %L, %L)', name, id, reason, statement), 'PT422', 'REASON_MISSING',
  format('%s raises REASON_MISSING without a %s', name, missing)
)
from (values ('suspend_user', tests.id('jonas')), ('suspend_hub', tests.id('elm'))) as f (name, id)
cross join (values (null, 'Sells pills.', 'reason'), ('spam', ' ', 'statement')) as c (reason, statement, missing);
select isnt(
  suspended_at, null, 'staff.accounts shows the time of a suspension'
) from staff.accounts where username = 'maya';
select staff.suspend_user(tests.id('maya'), 'hate', 'She hates as well.');
reset session authorization;
select results_eq(
  'select reason::text from app.decisions', array['spam'],
  'suspend_user makes no second decision about a suspended user'
);
select is(pg_temp.sees('jonas'), '[]', 'a user sees no post, comment or profile of a suspended user');
select is_empty(
  format($$ select from app.%I where user_id = tests.id('maya') $$, name), 'a suspended user has no rows in ' || name
)
from unnest(array['sessions', 'device_tokens']) as name;
select throws_ok(
  format('select app.insert_session(%L, %L)', tests.id('maya'), '{"deviceKind": "ios"}'), 'PT403', 'ACCOUNT_SUSPENDED',
  'a suspended user cannot sign in'
);
select results_eq(
  'select state::text from app.reports', array['actioned'], 'a suspension closes the reports of the user as actioned'
);

set local session authorization nina;
select staff.restore_user(tests.id('maya'), 'a mistake');
select throws_ok(
  format('select staff.restore_user(%L, %L)', tests.id('maya'), 'again'), 'PT404', 'USER_NOT_FOUND',
  'restore_user finds no user who is not suspended'
);
reset session authorization;
select is(
  pg_temp.sees('jonas'), '["post", "comment", "profile"]',
  'a user sees the posts, comments and profile of a restored user'
);
select results_eq(
  $$
    select details ->> 'reason', details ->> 'statement' from tests.audit_entries('suspend_user') as details
    where details ->> 'reason' = 'spam'
    union all select details ->> 'reason', null from tests.audit_entries('restore_user') as details
  $$,
  $$ values ('spam', 'She sells pills.'), ('a mistake', null) $$,
  'the audit log has the reason of a suspension and of its end'
);

rollback to empty;

-- The end of a suspension gives a Hub that everybody else has left its admin.
select tests.elm();
select tests.person('ended'), app.end_user(tests.id('ended'));
select tests.log_in_as('nina', 'staff_moderator');
select throws_ok(
  format('select staff.suspend_user(%L, %L, %L)', tests.id('ended'), 'spam', 'Pills.'), 'PT404', 'USER_NOT_FOUND',
  'suspend_user finds no user whose account has ended'
);
select staff.suspend_user(tests.id('jonas'), 'spam', 'He sells pills.');
reset session authorization;
select app.delete_memberships(tests.id('elm'), tests.id(name)) from unnest(array['maya', 'amara']) as name;
select isnt(
  role::text, 'admin', 'a suspended user does not become admin of a Hub that others leave'
) from app.memberships;
set local session authorization nina;
select staff.restore_user(tests.id('jonas'), 'a mistake');
reset session authorization;
select results_eq(
  'select user_id, role::text from app.memberships', $$ values (tests.id('jonas'), 'admin') $$,
  'a restored user becomes admin of a Hub that everybody else has left'
);

rollback to empty;

-- unmask_phone answers a phone only after an audited request of an earlier transaction (docs/product.md S5).
select tests.person('maya', 3);
create function pg_temp.unmask(p_name text default 'maya', p_reason text default 'she has called')
returns text
language sql
as $$ select staff.unmask_phone(tests.id(p_name), p_reason) $$;
select tests.log_in_as('nina', 'staff_support');
select throws_ok(
  $$ select pg_temp.unmask(p_reason => ' ') $$, 'PT422', 'REASON_MISSING',
  'unmask_phone raises REASON_MISSING without a reason'
);
select throws_ok($$ select pg_temp.unmask('none') $$, 'PT404', 'USER_NOT_FOUND', 'unmask_phone finds no unknown user');
-- A caller could roll back the transaction with its audit entry and keep the phone.
savepoint first_request;
select matches(pg_temp.unmask(), '^Recorded in the audit log', 'the first request to unmask a phone is only audited');
release savepoint first_request;
select matches(
  pg_temp.unmask(), '^Recorded in the audit log', 'a second request in the same transaction is only audited'
);
reset session authorization;
update staff.audit_log set occurred_at = occurred_at - interval '1 minute';
set local session authorization nina;
select is(pg_temp.unmask(), tests.phone_of('maya'), 'a request in a later transaction unmasks the phone');
reset session authorization;
select tests.log_in_as('olga', 'staff_support');
select matches(
  pg_temp.unmask(), '^Recorded in the audit log',
  'the request of one member of staff does not unmask a phone for another'
);
reset session authorization;
select results_eq(
  $$
    select details ->> 'by', details ->> 'userId', details ->> 'reason'
    from tests.audit_entries('unmask_phone') as details
  $$,
  $$ select by, tests.id('maya')::text, 'she has called' from unnest(array['nina', 'nina', 'nina', 'olga']) as by $$,
  'the audit log has every request to unmask a phone'
);

-- A request repeats an earlier one for ten minutes.
create function pg_temp.is_unmasked_after(p_age interval)
returns boolean
language plpgsql
as $$
begin
  delete from staff.audit_log;
  insert into staff.audit_log (actor_email, action, details, occurred_at)
  values ('nina', 'unmask_phone', jsonb_build_object('userId', tests.id('maya')), app.now() - p_age);
  set local session authorization nina;
  return pg_temp.unmask() = tests.phone_of('maya');
end
$$;
select is(
  pg_temp.is_unmasked_after('9 minutes 59 seconds'), true,
  'a request to unmask a phone is repeated just within ten minutes'
);
reset session authorization;
select is(
  pg_temp.is_unmasked_after('10 minutes'), false,
  'a request to unmask a phone ten minutes after the first is only audited'
);
reset session authorization;

select * from finish();
rollback;
