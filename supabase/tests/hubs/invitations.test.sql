begin;
select plan(123);
savepoint empty;

-- accept_invitation answers the Hub, the membership status and the join request.
select tests.elm();
select tests.hub('ash', 'amara');
select tests.membership('ash', 'jonas');
select tests.invitation('of an admin', 'elm', 'amara', 'lena');
select tests.invitation('of a member', 'ash', 'jonas', 'lena');

create function pg_temp.accept(p_name text)
returns jsonb
language sql
return api.accept_invitation(jsonb_build_object('invitationId', tests.id(p_name)));

select tests.authenticate_as('lena');
create temporary table answers as select pg_temp.accept('of an admin') as of_admin, pg_temp.accept('of a member') as of_member;
reset role;
select is(
  of_admin, jsonb_build_object('hubId', tests.id('elm'), 'viewerStatus', 'member', 'joinRequestId', null),
  'accepting an admin''s invitation answers membership and no join request'
)
from answers;
select is(
  of_member, jsonb_build_object('hubId', tests.id('ash'), 'viewerStatus', 'pending_admin_approval', 'joinRequestId', r.id),
  'accepting a member''s invitation answers the new join request'
)
from answers, app.join_requests as r
where r.user_id = tests.id('lena') and r.hub_id = tests.id('ash');
select is(
  tests.refusals('accept_invitation', jsonb_build_object('invitationId', tests.id('of an admin'))),
  tests.refusals_of_all('INVITATION_NOT_FOUND') || '{"lena": "INVITATION_NOT_PENDING"}',
  'only the invited user finds an invitation, and cannot accept twice'
);

rollback to empty;

-- accept_invitation requires that the inviter was an admin and still is.
select tests.elm();
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'admin');
select tests.invitation('of a former admin', 'elm', 'amara', 'lena');
update app.memberships set role = 'manager' where user_id = tests.id('amara');
select tests.invitation('of a later admin', 'elm', 'maya', 'lena');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.invitation('of a former member', 'elm', 'jonas', 'lena', p_makes_member => true);
delete from app.memberships where user_id = tests.id('jonas');
-- Being admin of another Hub does not count.
select tests.hub('oak', 'amara');
select tests.hub('ash', 'jonas');

create function pg_temp.opens_join_request(p_invitation text)
returns boolean
language plpgsql
as $$
declare
  v_accepted record;
begin
  perform tests.authenticate_as('lena');
  v_accepted := app.accept_invitation(tests.id(p_invitation));
  perform set_config('role', 'none', true);
  delete from app.join_requests;
  return v_accepted.join_request_id is not null;
end
$$;

select ok(pg_temp.opens_join_request(name), 'an invitation ' || name || ' opens a join request')
from unnest(array['of a former admin', 'of a later admin', 'of a former member']) as name;
select is_empty(
  $$ select from app.memberships where user_id = tests.id('lena') $$, 'an invitation of a former or later admin makes no member'
);
select tests.invitation('of an admin', 'elm', 'ann', 'lena');
select ok(not pg_temp.opens_join_request('of an admin'), 'an invitation of a current admin opens no join request');
select isnt_empty(
  $$ select from app.memberships where user_id = tests.id('lena') $$, 'an invitation of a current admin makes a member'
);
select tests.invitation('note', 'elm', 'maya', 'lena');
select is(
  tests.refusal_as('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT409 ALREADY_MEMBER',
  'a member cannot accept an invitation to their own Hub'
);
select is(state, 'pending', 'an invitation refused to a member stays pending')
from app.hub_invitations where id = tests.id('note');

rollback to empty;

-- accept_invitation requires level 4, decline_invitation does not.
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');

select is(
  tests.refusal_as('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT403 FORBIDDEN',
  'a user below level 4 cannot accept an invitation'
);
select is(state, 'pending', 'an invitation refused below level 4 stays pending') from app.hub_invitations;
select is(
  tests.refusal_as('lena', $$ select api.decline_invitation(jsonb_build_object('invitationId', tests.id('note'))) $$), null,
  'a user below level 4 can decline an invitation'
);

rollback to empty;

-- accept_invitation makes a member of a user whom an admin invited.
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.hub('oak', 'amara');
select tests.invitation('to oak', 'oak', 'amara', 'lena');
select tests.authenticate_as('lena');
select results_eq(
  $$ select * from app.accept_invitation(tests.id('note')) $$, $$ values (tests.id('elm'), null::uuid) $$,
  'accepting an admin''s invitation returns the Hub and no join request'
);
reset role;
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member', 'lena: member'],
  'accepting an admin''s invitation adds a member'
);
select bag_eq(
  $$ select id, state from app.hub_invitations $$,
  $$
    values
      (tests.id('note'), 'accepted'::app.invitation_state), (tests.id('maya''s'), 'accepted'), (tests.id('to oak'), 'pending')
  $$,
  'becoming a member accepts all invitations to this Hub and no other'
);
select results_eq(
  'select tests.events()', array['hub_member_joined: lena, lena'], 'accepting an admin''s invitation notifies the Hub''s members'
);
select tests.join_request('of lena', 'oak', 'lena');
select is(
  tests.refusal_as('lena', $$ select app.accept_invitation(tests.id('to oak')) $$), null,
  'a user with an open join request can accept an admin''s invitation'
);
select is(state, 'approved', 'accepting an admin''s invitation approves the open join request') from app.join_requests;

rollback to empty;

-- accept_invitation opens a join request for a user whom a member or manager invited.
select tests.elm();
select tests.invitation('note', 'elm', 'jonas', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.authenticate_as('lena');
create temporary table accepted as select * from app.accept_invitation(tests.id('note'));
reset role;
select results_eq(
  'select id, hub_id, user_id, source::text, state::text from app.join_requests',
  $$
    select join_request_id, hub_id, tests.id('lena'), 'member_invitation', 'pending_admin_approval'
    from accepted
    where hub_id = tests.id('elm')
  $$,
  'accepting a member''s invitation opens a join request and returns it'
);
select bag_eq(
  $$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'],
  'accepting a member''s invitation adds no member'
);
select bag_eq(
  $$ select id, state from app.hub_invitations $$,
  $$ values (tests.id('note'), 'accepted'::app.invitation_state), (tests.id('maya''s'), 'pending') $$,
  'opening a join request accepts only the invitation that was used'
);
select results_eq(
  'select tests.events()', array['hub_join_request_created: lena, lena'],
  'accepting a member''s invitation notifies of a join request'
);
select is(
  tests.refusal_as('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT409 INVITATION_NOT_PENDING',
  'a user cannot accept a member''s invitation twice'
);
select is(
  tests.violation_of($$ select tests.authenticate_as('lena'); select app.accept_invitation(tests.id('maya''s')) $$),
  'join_requests_pending_key',
  'a user with an open join request cannot open another by invitation'
);
reset role;
select is(state, 'pending', 'an invitation stays pending when the join request is refused')
from app.hub_invitations where id = tests.id('maya''s');
delete from app.join_requests;
select tests.refusal_as('lena', $$ select app.accept_invitation(tests.id('maya''s')) $$);
select isnt_empty('select from app.join_requests', 'accepting a manager''s invitation opens a join request');

rollback to empty;

-- create_invitations lets members invite phone numbers.
select tests.elm();
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.args(p_hub text, variadic p_names text[])
returns jsonb
language sql
return tests.hub_args(p_hub, jsonb_build_object('invitations', (
  select jsonb_agg(
    jsonb_build_object(
      'phoneNumber', tests.phone_of(name), 'tokenHash', tests.hash_hex('token of ' || name), 'sealedToken', 'sealed ' || name
    )
    order by place
  )
  from unnest(p_names) with ordinality as given (name, place)
)));

select is(
  tests.refusals('create_invitations', pg_temp.args('elm', 'nobody')), tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
  'only members at level 4 create invitations to a Hub'
);
select is(
  tests.refusals('create_invitations', pg_temp.args('ash', 'nobody')), tests.refusals_of_all('HUB_NOT_FOUND'),
  'nobody creates invitations to an unknown Hub'
);
select tests.authenticate_as('jonas');
create temporary table answers as
select api.create_invitations(pg_temp.args('elm', 'one', 'lena', 'two', 'jonas', 'amara')) as answer;
create temporary table items as
select item, place from answers, jsonb_array_elements(answer -> 'items') with ordinality as listed (item, place);
reset role;
select is(
  answer - 'items', '{"hubName": "elm", "inviterName": "Jonas"}',
  'create_invitations answers the Hub''s name and the inviter''s public name'
)
from answers;
-- Nobody learns from the answer which number has an account.
select is(
  array(select item ->> 'sealedToken' from items order by place),
  array['sealed one', 'sealed lena', 'sealed two', 'sealed jonas', 'sealed amara'],
  'create_invitations answers all numbers alike, in request order'
);
select set_eq(
  $$
    select (item ->> 'id')::uuid as id, item ->> 'sealedToken' as sealed, item ->> 'state' as state, item ->> 'expiresAt' as until
    from items
  $$,
  $$
    select i.id, 'sealed ' || name as sealed, 'pending' as state, app.iso(app.now() + interval '7 days') as until
    from unnest(array['one', 'lena', 'two', 'jonas', 'amara']) as name
    join app.hub_invitations as i on i.phone = tests.phone_of(name) and i.token_hash = tests.hash('token of ' || name)
    where i.hub_id = tests.id('elm') and i.inviter_id = tests.id('jonas')
  $$,
  'create_invitations answers the id, state and expiry of each invitation'
);
select is(
  array(select distinct jsonb_object_keys(item) from items order by 1), '{expiresAt,id,sealedToken,state}',
  'create_invitations answers no phone numbers'
);

rollback to empty;

-- decline_invitation ends an invitation of the caller's phone.
select tests.elm();
select tests.invitation('open', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');

create function pg_temp.args()
returns jsonb
language sql
return jsonb_build_object('invitationId', tests.id('open'));

select is(
  tests.refusals('decline_invitation', pg_temp.args()),
  (tests.refusals_of_all('INVITATION_NOT_FOUND') || '{"nina": "INVITATION_NOT_FOUND"}'::jsonb) - 'lena',
  'only the invited user can decline an invitation'
);
select tests.authenticate_as('lena');
select is(
  api.decline_invitation(pg_temp.args()), jsonb_build_object('id', tests.id('open'), 'state', 'declined'),
  'decline_invitation answers the invitation as declined'
);
reset role;
select bag_eq(
  'select id, state from app.hub_invitations',
  $$ values (tests.id('open'), 'declined'::app.invitation_state), (tests.id('maya''s'), 'pending') $$,
  'decline_invitation declines this invitation and no other'
);
select is(
  tests.refusals('decline_invitation', pg_temp.args()),
  tests.refusals_of_all('INVITATION_NOT_FOUND') || '{"nina": "INVITATION_NOT_FOUND", "lena": "INVITATION_NOT_PENDING"}',
  'the invited user cannot decline an invitation twice'
);
select is_empty('select tests.events()', 'declining an invitation notifies nobody');

rollback to empty;

-- get_invitation shows an invitation to everybody with its token.
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.invitation('open', 'elm', 'jonas', 'lena');
select tests.invitation('expired', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('accepted', 'elm', 'maya', 'lena', 'accepted');
select tests.invitation('declined', 'elm', 'maya', 'lena', 'declined', app.now());
select tests.invitation('closed', 'ash', 'jonas', 'lena');
select tests.close_hub('ash');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.token(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hash_hex(p_name));

create function pg_temp.expected()
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('open'), 'state', 'pending', 'expiresAt', app.iso(app.now() + interval '7 days'),
  'hub', app.hub_preview_json(tests.id('elm')),
  'invitedBy', '{"displayName": "Jonas"}'::jsonb
);

select tests.authenticate_as_guest();
select is(
  api.get_invitation(pg_temp.token('open')), pg_temp.expected(), 'a guest reads an invitation, with the inviter''s public name'
);
select is(
  api.get_invitation(pg_temp.token(name)) ->> 'state', name, 'get_invitation answers the state of an invitation that is ' || name
)
from unnest(array['expired', 'accepted', 'declined']) as name;
select is(tests.refusal('get_invitation', pg_temp.token(name)), 'INVITATION_NOT_FOUND', title)
from (values
  ('unknown', 'an unknown token finds no invitation'),
  ('closed', 'a token of an invitation to a closed Hub finds nothing')
) as c (name, title);
select throws_ok('select app.invitation_of(null)', 'PT404', 'INVITATION_NOT_FOUND', 'a missing token finds no invitation');
select tests.authenticate_as('lena');
select is(api.get_invitation(pg_temp.token('open')), pg_temp.expected(), 'the invited user reads the same invitation as a guest');
select is(
  pg_temp.expected() #> '{hub,invitationId}', to_jsonb(tests.id('open')),
  'the Hub preview names the invited user''s own invitation'
);
reset role;
select tests.block('jonas', 'lena');
select tests.authenticate_as('lena');
select is(
  api.get_invitation(pg_temp.token('open')) -> 'invitedBy', '{"displayName": "Jonas"}',
  'a blocked user with the token still reads the inviter''s name'
);
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as_guest();
select is(
  api.get_invitation(pg_temp.token('open')) -> 'invitedBy', '{"displayName": ""}',
  'an inviter without a profile has an empty name for guests'
);

rollback to empty;

-- list_invitations, list_invite_links and list_join_requests check the caller and the page size.
select tests.elm();
select tests.invitation('of ' || n, 'elm', 'amara', n::text), tests.invite_link('link ' || n, 'elm')
from generate_series(1, 31) as n;
insert into app.users (id) select tests.id(n::text) from generate_series(1, 31) as n;
insert into app.profiles (user_id, username, full_name)
select tests.id(n::text), 'user_' || n, 'Somebody' from generate_series(1, 31) as n;
select tests.join_request('request ' || n, 'elm', n::text) from generate_series(1, 31) as n;

create function pg_temp.page_length(p_operation text, p_args jsonb)
returns integer
language plpgsql
as $$
declare
  v_page jsonb;
begin
  execute format('select api.%I($1)', p_operation) into v_page using tests.hub_args('elm', p_args);
  return cardinality(tests.item_ids(v_page));
end
$$;

select is(tests.refusals(operation, tests.hub_args('elm')), tests.refusals_below_level_4() || refused::jsonb, title)
from (values
  ('list_invitations', '{"lena": "FORBIDDEN"}', 'only members at level 4 list invitations'),
  ('list_invite_links', '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}', 'only managers and admins list invite links'),
  ('list_join_requests', '{"lena": "FORBIDDEN", "jonas": "FORBIDDEN"}', 'only managers and admins list join requests')
) as c (operation, refused, title);
select is(
  tests.refusals(operation, tests.hub_args('ash')), tests.refusals_of_all('HUB_NOT_FOUND'), operation || ' refuses an unknown Hub'
)
from unnest(array['list_invitations', 'list_invite_links', 'list_join_requests']) as operation;
select tests.authenticate_as('amara');
select is(pg_temp.page_length(operation, args::jsonb), expected, operation || title)
from unnest(array['list_invitations', 'list_invite_links', 'list_join_requests']) as operation
cross join (values
  ('{}', 30, ' answers 30 items on a page by default'), ('{"limit": 100}', 31, ' answers up to 100 items on request')
) as c (args, expected, title);
select is(tests.refusal(operation, tests.hub_args('elm', args::jsonb)), 'VALIDATION_FAILED', operation || title)
from unnest(array['list_invitations', 'list_invite_links', 'list_join_requests']) as operation
cross join (values
  ('{"limit": 101}', ' refuses a limit above 100'), ('{"cursor": "?"}', ' refuses a malformed cursor')
) as c (args, title);

rollback to empty;

-- list_invitations, list_invite_links and list_join_requests order items of one moment by id.
select tests.elm();
select tests.hub('ash', 'amara');
select tests.person(name, 4) from unnest(array['two', 'three', 'one']) as name;
select tests.invitation(name, 'elm', 'amara', name), tests.invite_link(name, 'elm'), tests.join_request(name, 'elm', name)
from unnest(array['two', 'three', 'one']) as name;
select tests.invitation('elsewhere', 'ash', 'amara', 'one'), tests.invite_link('elsewhere', 'ash');
select tests.join_request('elsewhere', 'ash', 'one');
select tests.disable_index_scans();

create function pg_temp.in_order()
returns uuid[]
language sql
return array(select id from unnest(tests.ids('one', 'two', 'three')) as id order by id desc);

select tests.authenticate_as('amara');
select is(
  tests.item_ids_across_pages(operation, tests.hub_args('elm')), pg_temp.in_order(),
  operation || ' pages through items of one moment by id'
)
from unnest(array['list_invitations', 'list_invite_links', 'list_join_requests']) as operation;
reset role;
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
update app.invite_links set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
update app.join_requests set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
select tests.authenticate_as('amara');
select is(
  (tests.item_ids_across_pages(operation, tests.hub_args('elm')))[3], (pg_temp.in_order())[1],
  operation || ' lists the oldest item last, whatever its id'
)
from unnest(array['list_invitations', 'list_invite_links', 'list_join_requests']) as operation;

rollback to empty;

-- list_invitations shows all invitations to managers and admins, and to members their own.
select tests.elm();
select tests.hub('ash', 'lena');
select tests.invitation('of maya', 'elm', 'maya', 'one');
select tests.invitation('of jonas', 'elm', 'jonas', 'two');
select tests.invitation('elsewhere', 'ash', 'lena', 'three');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = tests.id('of maya');

create function pg_temp.list()
returns uuid[]
language sql
return tests.item_ids(api.list_invitations(tests.hub_args('elm')));

select tests.authenticate_as('amara');
select is(pg_temp.list(), tests.ids('of jonas', 'of maya'), 'an admin lists all invitations of the Hub, newest first');
select is(
  tests.item_ids_across_pages('list_invitations', tests.hub_args('elm')), pg_temp.list(),
  'list_invitations keeps its order on pages of one item'
);
select tests.authenticate_as('maya');
select is(pg_temp.list(), tests.ids('of jonas', 'of maya'), 'a manager lists all invitations of the Hub');
select tests.authenticate_as('jonas');
select is(pg_temp.list(), tests.ids('of jonas'), 'a member lists only the invitations they sent');
reset role;
select tests.membership('ash', 'jonas');
select tests.person('two', 4);
select tests.membership('elm', 'two');
select tests.authenticate_as('two');
select is(pg_temp.list(), '{}', 'a member does not list an invitation of their own phone');

rollback to empty;

-- invitations_json answers invitations as a list shows them.
select tests.elm();
select tests.invitation('open', 'elm', 'jonas', 'one');
select tests.invitation('used', 'elm', 'jonas', 'one', 'accepted');
select tests.invitation('over', 'elm', 'jonas', 'two', 'pending', app.now());
select tests.invitation('of maya', 'elm', 'maya', 'one', 'declined');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.listed(variadic p_names text[])
returns jsonb
language sql
return app.invitations_json(
  tests.id('elm'), array(select (null, id)::app.list_entry from unnest(tests.ids(variadic p_names)) as id)
);

select tests.authenticate_as('amara');
select is(
  pg_temp.listed('open') -> 0,
  jsonb_build_object(
    'id', tests.id('open'), 'phoneNumber', tests.phone_of('one'), 'state', 'pending', 'inviteUrl', null, 'shareText', null,
    'expiresAt', app.iso(app.now() + interval '7 days'),
    'invitedBy', jsonb_build_object('userId', tests.id('jonas'), 'displayName', 'Jon of the trees')
  ),
  'a listed invitation has no URL and shows the inviter''s Hub profile'
);
select is(
  array(select item ->> 'state' from jsonb_array_elements(pg_temp.listed('over', 'used', 'of maya', 'open', 'unknown')) as item),
  '{expired,accepted,declined,pending}', 'invitations_json keeps the given order and omits unknown ids'
);
select is(app.invitations_json(tests.id('elm'), '{}'), '[]', 'invitations_json of no ids is an empty array');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('amara');
select is(pg_temp.listed('open') #>> '{0,invitedBy,displayName}', '', 'an inviter without a profile has an empty name in lists');

rollback to empty;

-- lock_own_invitation locks the caller's row in users against the end of their account.
-- Fixtures skip foreign keys, whose locks on users would look the same.
set local session_replication_role = replica;
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
set local session_replication_role = origin;

-- A locked row has the transaction in its xmax.
create function pg_temp.locked_users()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' $$;

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select is_empty('select pg_temp.locked_users()', 'no user is locked before lock_own_invitation runs');
select app.lock_own_invitation(tests.id('note'));
select set_eq(
  'select pg_temp.locked_users()', array[tests.id('lena')], 'lock_own_invitation locks the invited user and nobody else'
);

rollback to empty;

-- lock_own_invitation refuses invitations between a blocked pair.
select tests.elm();
select tests.invitation('amara''s', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.invitation('jonas''s', 'elm', 'jonas', 'lena');
select tests.block('amara', 'lena');
select tests.block('lena', 'maya');
select tests.block('jonas', 'maya');

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select throws_ok(format('select app.lock_own_invitation(tests.id(%L))', name), 'PT404', 'INVITATION_NOT_FOUND', title)
from (values
  ('amara''s', 'an invitation is not found when the inviter blocked the invited user'),
  ('maya''s', 'an invitation is not found when the invited user blocked the inviter')
) as c (name, title);
select lives_ok(
  $$ select app.lock_own_invitation(tests.id('jonas''s')) $$, 'a block of a third user does not hide an invitation'
);
select set_eq(
  $$ select id from app.hub_invitations where xmax::text <> '0' $$, array[tests.id('jonas''s')],
  'lock_own_invitation locks the invitation and no other'
);

rollback to empty;

-- lock_own_invitation requires a pending invitation of the caller's phone.
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('over', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation(state::text, 'elm', 'jonas', 'lena', state)
from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state;
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select tests.close_hub('oak');

create function pg_temp.refusal(p_caller text, p_name text)
returns text
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_caller)::text, true);
  return tests.error_of(format('select app.lock_own_invitation(tests.id(%L))', p_name)) ->> 'code';
end
$$;

select is(pg_temp.refusal(caller, name), expected, title)
from (values
  ('lena', 'note', null, 'the invited user can lock a pending invitation'),
  ('jonas', 'note', 'INVITATION_NOT_FOUND', 'a member cannot find an invitation of another phone'),
  ('jonas', 'over', 'INVITATION_NOT_FOUND', 'a member cannot find an expired invitation of another phone'),
  ('lena', 'nothing', 'INVITATION_NOT_FOUND', 'lock_own_invitation does not find an unknown id'),
  ('lena', 'to oak', 'INVITATION_NOT_FOUND', 'the invited user cannot find an invitation to a closed Hub'),
  ('lena', 'over', 'INVITATION_NOT_PENDING', 'an invitation past its expiry is not pending'),
  ('lena', 'accepted', 'INVITATION_NOT_PENDING', 'an accepted invitation is not pending'),
  ('lena', 'declined', 'INVITATION_NOT_PENDING', 'a declined invitation is not pending'),
  ('lena', 'expired', 'INVITATION_NOT_PENDING', 'an invitation in state expired is not pending')
) as c (caller, name, expected, title);
select is((app.lock_own_invitation(tests.id('note'))).id, tests.id('note'), 'lock_own_invitation returns the locked invitation');

rollback to empty;

-- put_invitation replaces an invitation that has ended.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.invitation('over', 'elm', 'amara', 'lena', 'pending', app.now());
select tests.invitation('of ann', 'elm', 'amara', 'ann', 'pending', app.now());
select tests.invitation('by maya', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('to oak', 'oak', 'amara', 'lena', 'pending', app.now());
select tests.invitation('declined', 'elm', 'amara', 'lena', 'declined', app.now());
select tests.authenticate_as('amara');
select isnt(
  (app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('new'))).id, tests.id('over'),
  'put_invitation makes a new invitation after the old one expired'
);
reset role;
select is(state, 'expired', 'put_invitation marks the replaced invitation as expired')
from app.hub_invitations where id = tests.id('over');
select bag_eq(
  $$ select id, state from app.hub_invitations where token_hash <> tests.hash('new') and id <> tests.id('over') $$,
  $$
    values
      (tests.id('of ann'), 'pending'::app.invitation_state), (tests.id('by maya'), 'pending'), (tests.id('to oak'), 'pending'),
      (tests.id('declined'), 'declined')
  $$,
  'put_invitation changes no invitation of another number, inviter or Hub'
);
select results_eq(
  'select tests.events()', array['hub_invite_received: amara, nobody'], 'a new invitation after an expired one notifies again'
);
update app.hub_invitations set state = 'declined' where token_hash = tests.hash('new');
select is(
  tests.refusal_as('amara', $$ select app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('newer')) $$), null,
  'an admin can invite a number again after it declined'
);
select results_eq(
  $$
    select state, count(*) from app.hub_invitations
    where phone = tests.phone_of('lena') and hub_id = tests.id('elm') and inviter_id = tests.id('amara')
    group by 1
    order by 1
  $$,
  $$ values ('pending'::app.invitation_state, 1::bigint), ('declined', 2), ('expired', 1) $$,
  'put_invitation keeps the declined invitation beside the new one'
);

rollback to empty;

-- put_invitation lets members invite a phone number.
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.invite(p_caller text, p_invited text, p_token text)
returns text
language sql
as $$
  select tests.refusal_as(
    p_caller, format('select app.put_invitation(tests.id(%L), tests.phone_of(%L), tests.hash(%L))', 'elm', p_invited, p_token)
  )
$$;

select is(pg_temp.invite('jonas', 'lena', 'token'), null, 'a member can invite a phone number');
select results_eq(
  'select hub_id, inviter_id, phone, token_hash, state, created_at, expires_at from app.hub_invitations',
  $$
    values (
      tests.id('elm'), tests.id('jonas'), tests.phone_of('lena'), tests.hash('token'), 'pending'::app.invitation_state, app.now(),
      app.now() + interval '7 days'
    )
  $$,
  'put_invitation stores a pending invitation that expires after 7 days'
);
-- Who owns the number is for the fan-out to find.
select results_eq(
  'select type, actor_id, subject_id, hub_id, invitation_id from app.events',
  $$
    select 'hub_invite_received'::app.event_type, tests.id('jonas'), null::uuid, tests.id('elm'), i.id
    from app.hub_invitations as i
  $$,
  'put_invitation emits hub_invite_received without a subject'
);
select pg_temp.invite('maya', 'lena', 'maya''s'), pg_temp.invite('amara', 'lena', 'amara''s');
select pg_temp.invite('amara', 'nobody', 'other');
select set_eq(
  'select inviter_id, phone, makes_member from app.hub_invitations',
  $$
    values
      (tests.id('jonas'), tests.phone_of('lena'), false), (tests.id('maya'), tests.phone_of('lena'), false),
      (tests.id('amara'), tests.phone_of('lena'), true), (tests.id('amara'), tests.phone_of('nobody'), true)
  $$,
  'only an admin''s invitation makes a member; inviters share no invitation'
);
select is(pg_temp.invite(caller, 'ann', 'refused'), expected, title)
from (values
  ('lena', 'PT403 FORBIDDEN', 'a non-member cannot invite a phone number'),
  (null, '42501', 'a guest cannot invite a phone number')
) as c (caller, expected, title);

rollback to empty;

-- put_invitation has a rate limit of 300 numbers a day per user and 1,000 per Hub.
select app.set_clock_offset('-1 day');
select tests.elm();
select tests.hub('oak', 'amara');
select tests.membership('oak', 'maya');
select tests.person(name, 4) from unnest(array['ann', 'ben']) as name;
select tests.membership('elm', name) from unnest(array['ann', 'ben']) as name;

create function pg_temp.invite(p_caller text, p_count integer, p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_as(p_caller, format(
    $s$
      select app.put_invitation(tests.id(%1$L), '+1202555' || lpad(n::text, 4, '0'), tests.hash(%2$L || n))
      from generate_series(1, %3$s) as n
    $s$,
    p_hub, p_caller || p_hub || p_count, p_count
  ))
$$;

select is(pg_temp.invite('amara', 300), null, 'a member can invite 300 numbers in one day');
select is(pg_temp.invite('amara', 1), 'PT429 RATE_LIMITED', 'a member cannot invite 301 numbers in one day');
select is(pg_temp.invite('amara', 1, 'oak'), 'PT429 RATE_LIMITED', 'the rate limit of a user counts invitations to all Hubs');
select is((select count(*)::integer from app.hub_invitations), 300, 'a rate-limited call creates no invitation');
select is(
  array[pg_temp.invite('maya', 300), pg_temp.invite('jonas', 300), pg_temp.invite('ann', 100)], array[null, null, null]::text[],
  'the members of one Hub can invite 1,000 numbers in one day'
);
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$) -> 'details',
  '{"retryAfterSeconds": 288}',
  'the rate limit of a user refills by one every 288 seconds'
);
select tests.authenticate_as('ben');
select is(
  tests.error_of($$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 87}}',
  'the rate limit of a Hub refills by one every 87 seconds'
);
reset role;
select app.set_clock_offset('0');
select is(pg_temp.invite('amara', 300), null, 'a member can invite another 300 numbers the next day');

rollback to empty;

-- put_invitation renews a pending invitation.
select tests.elm();
select tests.invitation('note', 'elm', 'maya', 'lena');
select tests.invitation('jonas''s', 'elm', 'jonas', 'lena', p_expires_at => app.now() + interval '1 day');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select app.set_clock_offset('10 minutes');
select tests.authenticate_as('maya');
select is(
  (app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('new'))).id, tests.id('note'),
  'inviting a number again keeps the pending invitation'
);
reset role;
select results_eq(
  $$ select token_hash, makes_member, state, expires_at from app.hub_invitations where id = tests.id('note') $$,
  $$ values (tests.hash('new'), true, 'pending'::app.invitation_state, now() + interval '7 days 10 minutes') $$,
  'inviting again renews the token, the expiry and the inviter''s role'
);
select is_empty('select from app.events', 'inviting a number again does not notify again');
select results_eq(
  $$ select token_hash, state, expires_at from app.hub_invitations where id = tests.id('jonas''s') $$,
  $$ values (tests.hash('jonas''s'), 'pending'::app.invitation_state, now() + interval '1 day') $$,
  'inviting again changes no invitation of another inviter'
);

select * from finish();
rollback;
