begin;
select plan(77);
savepoint empty;

-- approve_join_request and reject_join_request decide a pending join request of the Hub.
-- docs/product.md H10, H22
select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'ben');
select tests.join_request('of lena', 'elm', 'lena'), tests.join_request('of ben', 'elm', 'ben');
select tests.join_request('elsewhere', 'ash', 'lena'), tests.join_request('decided', 'elm', 'ben', 'rejected');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return tests.hub_args('elm', jsonb_build_object('requestId', tests.id(p_name)));

select is(
  tests.refusals('approve_join_request', pg_temp.args('of lena')),
  tests.refusals_below_admin('JOIN_REQUEST_NOT_FOUND', 'FORBIDDEN'),
  'a user cannot approve a join request of their own'
);
select tests.authenticate_as('amara');
select is(
  api.approve_join_request(pg_temp.args('of lena')), jsonb_build_object('id', tests.id('of lena'), 'state', 'approved'),
  'approve_join_request answers the join request as approved'
);
select is(
  api.reject_join_request(pg_temp.args('of ben')), jsonb_build_object('id', tests.id('of ben'), 'state', 'rejected'),
  'reject_join_request answers the join request as rejected'
);
select is(
  tests.refusal(operation, pg_temp.args(name)), 'JOIN_REQUEST_NOT_' || expected,
  format('%s raises JOIN_REQUEST_NOT_%s for the join request "%s"', operation, expected, name)
)
from (
  values
    ('approve_join_request', 'elsewhere', 'FOUND'), ('reject_join_request', 'unknown', 'FOUND'),
    ('approve_join_request', 'decided', 'PENDING'), ('reject_join_request', 'decided', 'PENDING'),
    ('reject_join_request', 'of lena', 'PENDING')
) as c (operation, name, expected);
reset role;
select results_eq(
  'select type::text, actor_id, subject_id, hub_id, join_request_id from app.events order by id',
  $$
    select type, tests.id(actor), tests.id(subject), tests.id('elm'), tests.id(request)
    from (
      values
        ('hub_join_request_approved', 'amara', 'lena', 'of lena'), ('hub_member_joined', 'lena', 'lena', null),
        ('hub_join_request_rejected', 'amara', 'ben', 'of ben')
    ) as c (type, actor, subject, request)
  $$,
  'an approval notifies the requester, then the Hub''s members; a rejection notifies the requester'
);
select bag_eq(
  $$ select tests.states('of lena', 'of ben', 'elsewhere', 'decided') union all select tests.members('elm') $$,
  array[
    'of lena: approved', 'of ben: rejected', 'elsewhere: pending_admin_approval', 'decided: rejected', 'amara: admin',
    'maya: manager', 'jonas: member', 'lena: member'
  ],
  'deciding a join request changes no other, and an approved requester alone becomes a member'
);

rollback to empty;

-- decide_join_request locks the requester against the end of their account.
-- Fixtures skip foreign keys, whose locks would look the same.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'amara');
select tests.join_request('of lena', 'elm', 'lena', 'rejected');
set local session_replication_role = origin;

create function pg_temp.refusal(p_hub text)
returns text
language sql
as $$
  select tests.refusal_as(
    'amara', format('select app.decide_join_request(tests.id(%L), tests.id(%L), %L)', p_hub, 'of lena', 'approved')
  )
$$;

-- A locked row has the transaction in its xmax. The caller is locked by their session.
create function pg_temp.locked_users()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' and u.id <> tests.id('amara') $$;

select pg_temp.refusal('oak');
select is_empty('select pg_temp.locked_users()', 'an admin of another Hub cannot lock the requester');
select is(pg_temp.refusal('elm'), 'PT409 JOIN_REQUEST_NOT_PENDING', 'an admin cannot decide a rejected join request');
select set_eq(
  'select pg_temp.locked_users()', tests.ids('lena'),
  'decide_join_request locks the requester before the state is checked'
);
select isnt_empty(
  $$ select from app.join_requests where xmax::text <> '0' $$, 'decide_join_request locks the join request'
);
insert into app.join_requests (id, hub_id, user_id, source, state, ended_at)
values (tests.id('withdrawn'), tests.id('elm'), tests.id('lena'), 'invite_link', 'withdrawn', app.now());
select is(
  tests.value_as(person, $$ exists (select from app.join_requests where id = tests.id('withdrawn')) $$), expected,
  'the policy of join requests ' || what
)
from (
  values ('amara', 'false'::jsonb, 'hides a withdrawn one from admins'),
  ('lena', 'true', 'shows a withdrawn one to the requester')
) as c (person, expected, what);
select is(
  tests.refusal_as(
    'amara', format('select app.decide_join_request(%L, %L, %L)', tests.id('elm'), tests.id('withdrawn'), verdict)
  ),
  'PT404 JOIN_REQUEST_NOT_FOUND', format('an admin does not find a withdrawn join request to be %s', verdict)
)
from unnest(array['approved', 'rejected']) as verdict;

rollback to empty;

-- withdraw_join_request ends an open join request of the caller and hides its notifications.
-- docs/product.md H27
select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'ben');
select tests.join_request('decided', 'elm', 'lena', 'rejected'), tests.join_request('of ben', 'elm', 'ben');
select tests.join_request('elsewhere', 'ash', 'lena');
select tests.invite_link('link', 'elm');
select tests.authenticate_as('lena');
create temporary table requests as select api.request_to_join(
  jsonb_build_object('tokenHash', tests.hash_hex('link'))
) as request;
grant select on requests to public;
reset role;
-- The level of a person may end after their request.
update app.users set contacts_synced_at = null where id = tests.id('lena');

create function pg_temp.withdraw(p_id uuid, p_hub text default 'elm')
returns jsonb
language sql
return tests.hub_args(p_hub, jsonb_build_object('requestId', p_id));

select set_eq(
  'select tests.recipients()', array['amara', 'maya'],
  'the admins and managers are notified of the join request to be withdrawn'
);
select is(
  tests.refusals('withdraw_join_request', pg_temp.withdraw((request ->> 'id')::uuid)),
  '{"guest": "no privilege", "signed out": "UNAUTHORIZED"}' || jsonb_object_agg(name, 'JOIN_REQUEST_NOT_FOUND'),
  'nobody but its applicant can withdraw a join request, whatever their role and level'
)
from requests, unnest(array['nina', 'jonas', 'maya', 'amara']) as name
group by request;
select tests.authenticate_as('lena');
select is(tests.refusal('withdraw_join_request', pg_temp.withdraw(id, hub)), expected, title)
from (
  values
    (tests.id('unknown'), 'elm', 'JOIN_REQUEST_NOT_FOUND', 'an applicant cannot withdraw an unknown join request'),
    (tests.id('of ben'), 'elm', 'JOIN_REQUEST_NOT_FOUND', 'an applicant cannot withdraw the join request of another'),
    (
      tests.id('elsewhere'), 'elm', 'JOIN_REQUEST_NOT_FOUND',
      'a join request cannot be withdrawn by the id of another Hub'
    ),
    (tests.id('elsewhere'), 'oak', 'HUB_NOT_FOUND', 'a join request cannot be withdrawn by the id of an unknown Hub'),
    (tests.id('decided'), 'elm', 'JOIN_REQUEST_NOT_PENDING', 'a rejected join request cannot be withdrawn')
) as c (id, hub, expected, title);
select is(
  api.withdraw_join_request(pg_temp.withdraw((request ->> 'id')::uuid)), '{}',
  'an applicant below level 4 can withdraw a join request'
)
from requests;
select is(
  tests.refusal('withdraw_join_request', pg_temp.withdraw((request ->> 'id')::uuid)), 'JOIN_REQUEST_NOT_FOUND',
  'a withdrawn join request cannot be withdrawn again'
)
from requests;
select is(
  api.get_hub(tests.hub_args('elm')) ->> 'viewerStatus', 'none', 'the Hub shows no status to an applicant who withdrew'
);
reset role;
select is(
  tests.inbox('amara') -> 'items', '[]', 'the notification of a withdrawn join request is in the inbox of no admin'
);
select is(tests.unread_count('amara'), 0, 'a withdrawn join request does not count as unread');
select bag_eq(
  $$ select tests.states('decided', 'of ben', 'elsewhere') $$,
  array['decided: rejected', 'of ben: pending_admin_approval', 'elsewhere: pending_admin_approval'],
  'a withdrawal leaves other join requests'
);
update app.users set contacts_synced_at = app.now() where id = tests.id('lena');
select tests.authenticate_as('lena');
select is(
  tests.refusal('request_to_join', jsonb_build_object('tokenHash', tests.hash_hex('link'))), null,
  'an applicant who withdrew can request to join again'
);
reset role;
update app.hubs set suspended_at = app.now(), member_count = 0 where id = tests.id('elm');
select tests.authenticate_as('lena');
select is(
  tests.refusal('withdraw_join_request', pg_temp.withdraw(tests.id('decided'))), 'HUB_NOT_FOUND',
  'a join request to a suspended Hub cannot be withdrawn'
);

rollback to empty;

-- create_invite_link stores a link with its limits (docs/product.md H19).
select tests.elm();
create function pg_temp.args(p_name text, p_args jsonb)
returns jsonb
language sql
return tests.hub_args(
  'elm', jsonb_build_object('tokenHash', tests.hash_hex(p_name), 'sealedToken', 'sealed ' || p_name) || p_args
);

select tests.authenticate_as('maya');
create temporary table answers as
select
  api.create_invite_link(pg_temp.args('one', '{"maxUses": 5, "expiresInDays": 3}')) as one,
  api.create_invite_link(pg_temp.args('two', '{}')) as two;
reset role;
select is(
  one - 'id',
  jsonb_build_object(
    'token', null, 'url', null, 'expiresAt', app.iso(app.now() + interval '3 days'), 'maxUses', 5, 'useCount', 0,
    'createdAt', app.iso(app.now()),
    'sealedToken', 'sealed one'
  ),
  'create_invite_link answers the sealed token and no URL'
)
from answers;
select set_eq(
  'select id, hub_id, token_hash, max_uses, use_count, expires_at from app.invite_links',
  $$
    select (answer ->> 'id')::uuid, tests.id('elm') as hub, tests.hash(name) as token, max_uses, 0,
      app.now() + lifetime as until
    from answers
    cross join lateral (
      values (one, 'one', 5, interval '3 days'), (two, 'two', null, interval '7 days')
    ) as c (answer, name, max_uses, lifetime)
  $$,
  'create_invite_link stores hash, limit and expiry, by default unlimited and for 7 days'
);
select is_empty('select tests.events()', 'creating an invite link notifies nobody');

rollback to empty;

-- insert_invite_link has a rate limit of 100 links a day per Hub (docs/product.md W26).
select tests.elm();
select tests.hub('oak', 'maya');

create function pg_temp.make(p_caller text, p_count integer, p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_as(p_caller, format(
    'select app.insert_invite_link(tests.id(%1$L), tests.hash(%2$L || n), null, interval %3$L) from generate_series(1, '
    '%4$s) as n',
    p_hub, p_caller || p_hub || p_count, '1 day', p_count
  ))
$$;

select is(pg_temp.make(caller, count, hub), expected, title)
from (values
  ('maya', 60, 'elm', null, 'a manager can create 60 invite links in one day'),
  ('amara', 40, 'elm', null, 'managers and admins of one Hub can create 100 invite links'),
  ('maya', 1, 'elm', 'PT429 RATE_LIMITED', 'managers and admins of one Hub cannot create 101 invite links')
) as c (caller, count, hub, expected, title);
select is(pg_temp.make('maya', 1, 'oak'), null, 'the rate limit counts invite links of each Hub separately');
select tests.authenticate_as('amara');
select is(
  tests.error_of(
    $$ select app.insert_invite_link(tests.id('elm'), tests.hash('door'), null, interval '1 day') $$
  ) -> 'details',
  '{"retryAfterSeconds": 864}', 'the rate limit of invite links refills by one every 864 seconds'
);

rollback to empty;

-- insert_invite_link locks the caller's membership, so that a concurrent change of role waits.
-- Fixtures skip foreign keys and presence is recent, since both would mark the row.
set local session_replication_role = replica;
select tests.elm();
update app.memberships set seen_at = app.now();
set local session_replication_role = origin;

select is(
  tests.refusal_as(
    'maya', $$ select app.insert_invite_link(tests.id('elm'), tests.hash('door'), null, interval '1 day') $$
  ), null,
  'a manager can create an invite link'
);
-- A locked row has the transaction in its xmax.
select set_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' $$, tests.ids('maya'),
  'insert_invite_link locks the caller''s membership and no other'
);

rollback to empty;

-- get_invite_link shows where a usable link leads (docs/product.md H20).
select tests.elm();
select tests.hub('oak', 'lena');
select tests.invite_link('open', 'elm'), tests.invite_link('once', 'elm', 2), tests.invite_link('used up', 'elm', 2);
select tests.invite_link('expired', 'elm', p_expires_at => app.now()), tests.invite_link('closed', 'oak');
select tests.close_hub('oak');
select tests.join_request('request', 'elm', 'lena');
update app.invite_links set use_count = 2;
update app.invite_links set use_count = 1 where id = tests.id('once');

create function pg_temp.token(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hash_hex(p_name));

create function pg_temp.refusal_and_status(p_caller text, p_name text)
returns text
language plpgsql
as $$
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
  end if;
  return coalesce(
    tests.refusal('get_invite_link', pg_temp.token(p_name)),
    api.get_invite_link(pg_temp.token(p_name)) ->> 'viewerStatus'
  );
end
$$;

select is(pg_temp.refusal_and_status(caller, name), expected, title)
from (
  values
    (null, 'unknown', 'INVITE_LINK_NOT_FOUND', 'an unknown token finds no invite link'),
    (null, 'expired', 'INVITE_LINK_NOT_FOUND', 'the token of an expired invite link finds nothing'),
    (null, 'closed', 'INVITE_LINK_NOT_FOUND', 'the token of an invite link to a closed Hub finds nothing'),
    ('maya', 'used up', 'INVITE_LINK_NOT_FOUND', 'a used-up invite link is not found'),
    ('maya', 'once', 'member', 'an invite link with uses left is found'),
    ('maya', 'open', 'member', 'an invite link without a limit is found after its uses'),
    ('lena', 'open', 'pending_admin_approval', 'a requester reads an invite link with their own membership status'),
    (null, 'open', 'none', 'a guest reads an invite link with membership status none')
) as c (caller, name, expected, title);
select is(
  api.get_invite_link(pg_temp.token('open')),
  jsonb_build_object(
    'hub', app.hub_preview_json(tests.id('elm')), 'expiresAt', app.iso(app.now() + interval '7 days'), 'viewerStatus',
    'none'
  ),
  'get_invite_link answers the preview of the Hub and the expiry'
);

rollback to empty;

-- list_invite_links shows links that have not expired (docs/product.md H19, H20).
select tests.elm();
select tests.invite_link('open', 'elm'), tests.invite_link('used up', 'elm', 1),
  tests.invite_link('over', 'elm', null, app.now());
update app.invite_links set use_count = 1, created_at = app.now() - interval '1 day' where id = tests.id('used up');

select tests.authenticate_as('maya');
create temporary table answers as select api.list_invite_links(tests.hub_args('elm')) as page;
select is(
  tests.item_ids(page), tests.ids('open', 'used up'), 'list_invite_links lists unexpired links, newest first'
) from answers;
select is(
  page #> '{items,1}',
  jsonb_build_object(
    'id', tests.id('used up'), 'token', null, 'url', null, 'expiresAt', app.iso(app.now() + interval '7 days'),
    'maxUses', 1,
    'useCount', 1,
    'createdAt', app.iso(app.now() - interval '1 day')
  ),
  'a listed invite link shows its use count and no URL'
)
from answers;
select is(
  tests.item_ids(jsonb_build_object(
    'items', app.invite_links_json(array[(null, tests.id('used up')), (null, tests.id('open'))]::app.list_entry[])
  )),
  tests.ids('used up', 'open'), 'invite_links_json keeps the given order'
);
select is(app.invite_links_json('{}'), '[]', 'invite_links_json of no ids is an empty array');

rollback to empty;

-- list_join_requests shows pending join requests (docs/product.md H22).
select tests.elm();
select tests.person(name, 4) from unnest(array['ben', 'ann', 'tom']) as name;
select tests.asset('face', 'ben', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('ben');
insert into app.hub_profiles (user_id, display_name) values (tests.id('ben'), 'Benjamin');
select tests.join_request('of ben', 'elm', 'ben'), tests.join_request('of ann', 'elm', 'ann');
select tests.join_request('rejected', 'elm', 'tom', 'rejected');
update app.join_requests set created_at = app.now() - interval '1 day', source = 'member_invitation'
where id = tests.id('of ben');

select tests.authenticate_as('maya');
create temporary table answers as select api.list_join_requests(tests.hub_args('elm')) as page;
select is(
  tests.item_ids(page), tests.ids('of ann', 'of ben'), 'list_join_requests lists pending join requests, newest first'
)
from answers;
select is(
  page #> '{items,1}',
  jsonb_build_object(
    'id', tests.id('of ben'), 'state', 'pending_admin_approval', 'source', 'member_invitation',
    'createdAt', app.iso(app.now() - interval '1 day'),
    'user', jsonb_build_object(
      'userId', tests.id('ben'), 'displayName', 'Ben',
      'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('face'), 'username', 'ben'
    )
  ),
  'a listed join request shows the requester''s public profile'
)
from answers;
select is(
  tests.item_ids(jsonb_build_object(
    'items', app.join_requests_json(array[(null, tests.id('of ben')), (null, tests.id('of ann'))]::app.list_entry[])
  )),
  tests.ids('of ben', 'of ann'), 'join_requests_json keeps the given order'
);
select tests.authenticate_as('jonas');
select is(
  app.join_requests_json(array[(null, tests.id('of ben'))]::app.list_entry[]), '[]',
  'join_requests_json answers no join requests to a member'
);

rollback to empty;

-- record_presence records the caller once in five minutes.
select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now() - interval '4 minutes 59 seconds' where user_id = tests.id('maya');
update app.memberships set seen_at = app.now() - interval '5 minutes' where user_id = tests.id('amara');

create function pg_temp.recorded(p_caller text)
returns bigint
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  perform app.record_presence(tests.id('elm'));
  perform set_config('role', 'none', true);
  return (select count(*) from app.memberships as m where m.seen_at = app.now());
end
$$;

select is(pg_temp.recorded(caller), total::bigint, title)
from (values
  ('lena', 0, 'a non-member has no presence in a Hub'),
  ('maya', 0, 'a member''s presence is not recorded again within five minutes'),
  ('jonas', 1, 'a member''s first presence in a Hub is recorded'),
  ('amara', 2, 'a member''s presence is recorded again after five minutes')
) as c (caller, total, title);
select is_empty(
  $$ select from app.memberships where hub_id = tests.id('oak') and seen_at is not null $$,
  'presence in one Hub is not recorded in another'
);

rollback to empty;

-- request_to_join opens a join request by an invite link (docs/product.md H10, H21).
select tests.elm();
select tests.invite_link('door', 'elm', 2), tests.invite_link('gate', 'elm');
create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hash_hex(p_name));

select is(
  tests.refusals('request_to_join', pg_temp.args('door')), tests.refusals_of_all('ALREADY_MEMBER') - 'lena',
  'only a non-member at level 4 can request to join'
);
select is(
  tests.refusals('request_to_join', pg_temp.args('unknown')), tests.refusals_of_all('INVITE_LINK_NOT_FOUND'),
  'nobody can request to join by an unknown invite link'
);
select tests.authenticate_as('lena');
create temporary table answers as select api.request_to_join(pg_temp.args('door')) as answer;
reset role;
select results_eq(
  'select jsonb_build_object(''id'', id, ''hubId'', hub_id, ''state'', state), user_id, source::text from '
  'app.join_requests',
  $$
    select answer, tests.id('lena'), 'invite_link' from answers
    where answer - 'id' = jsonb_build_object('hubId', tests.id('elm'), 'state', 'pending_admin_approval')
  $$,
  'request_to_join stores and answers a pending join request with source invite_link'
);
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'],
  'requesting to join a Hub adds no member'
);
select bag_eq(
  'select id, use_count from app.invite_links', $$ values (tests.id('door'), 1), (tests.id('gate'), 0) $$,
  'request_to_join counts one use of this invite link only'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id, join_request_id from app.events',
  $$
    select 'hub_join_request_created'::app.event_type, tests.id('lena'), tests.id('lena'), tests.id('elm'), r.id
    from app.join_requests as r
  $$,
  'request_to_join emits one hub_join_request_created event'
);
select tests.authenticate_as('lena');
select is(
  tests.violation_of($$ select api.request_to_join(pg_temp.args('gate')) $$), 'join_requests_pending_key',
  'a user cannot request to join while a join request is open'
);
reset role;
update app.join_requests set state = 'rejected';
select tests.authenticate_as('lena');
select is(tests.refusal('request_to_join', pg_temp.args('gate')), null, 'a rejected user can request to join again');

rollback to empty;

-- revoke_invite_link deletes a link of the Hub (docs/product.md H20).
select tests.elm();
select tests.hub('ash', 'lena'), tests.membership('ash', 'maya', 'manager');
select tests.invite_link('one', 'elm'), tests.invite_link('two', 'elm'), tests.invite_link('elsewhere', 'ash');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return tests.hub_args('elm', jsonb_build_object('inviteLinkId', tests.id(p_name)));

select tests.authenticate_as('maya');
select is(api.revoke_invite_link(pg_temp.args('one')), '{}', 'revoke_invite_link answers an empty object');
select is(tests.refusal('revoke_invite_link', pg_temp.args(name)), 'INVITE_LINK_NOT_FOUND', title)
from (
  values
    ('one', 'a manager cannot revoke an invite link twice'),
    ('elsewhere', 'a manager of two Hubs cannot revoke a link through the other Hub')
) as c (name, title);
reset role;
select set_eq(
  'select id from app.invite_links', tests.ids('two', 'elsewhere'),
  'revoke_invite_link deletes this invite link and no other'
);

select * from finish();
rollback;
