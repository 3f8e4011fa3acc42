begin;
select plan(133);
savepoint empty;

-- accept_invitation: answers where one stands
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
select is(
  pg_temp.accept('of an admin'), jsonb_build_object('hubId', tests.id('elm'), 'viewerStatus', 'member', 'joinRequestId', null), 'within'
);
select is(
  pg_temp.accept('of a member') - 'joinRequestId', jsonb_build_object('hubId', tests.id('ash'), 'viewerStatus', 'pending_admin_approval'), 'or before the door'
);
reset role;
select isnt_empty($$ select from app.join_requests where user_id = tests.id('lena') and hub_id = tests.id('ash') $$, 'where one has asked to come in');
select is(
  tests.refusals('accept_invitation', jsonb_build_object('invitationId', tests.id('of an admin'))),
  tests.everybody('INVITATION_NOT_FOUND') || '{"lena": "INVITATION_NOT_PENDING"}', 'nobody else has that invitation, nor anybody twice'
);

rollback to empty;

-- accept_invitation: goes by what the inviter is too
select tests.elm();
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'admin');
select tests.invitation('of a former admin', 'elm', 'amara', 'lena');
update app.memberships set role = 'manager' where user_id = tests.id('amara');
select tests.invitation('of a later admin', 'elm', 'maya', 'lena');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.invitation('of one who has left', 'elm', 'jonas', 'lena', p_makes_member => true);
delete from app.memberships where user_id = tests.id('jonas');
select tests.hub('oak', 'amara');
select tests.hub('ash', 'jonas');

create function pg_temp.asks_by(p_invitation text)
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

select ok(pg_temp.asks_by(name), 'an invitation ' || name || ' makes no member')
from unnest(array['of a former admin', 'of a later admin', 'of one who has left']) as name;
select is_empty($$ select from app.memberships where user_id = tests.id('lena') $$, 'by none of them');
select tests.invitation('of an admin', 'elm', 'ann', 'lena');
select ok(not pg_temp.asks_by('of an admin'), 'that of an admin does');
select isnt_empty($$ select from app.memberships where user_id = tests.id('lena') $$, 'at once');
select tests.invitation('note', 'elm', 'maya', 'lena');
select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT409 ALREADY_MEMBER', 'who is a member needs none');
select is(state, 'pending', 'and uses none up') from app.hub_invitations where id = tests.id('note');

rollback to empty;

-- accept_invitation: names the request
select tests.elm();
select tests.invitation('of a member', 'elm', 'jonas', 'lena');
select tests.authenticate_as('lena');
create temporary table answers as select api.accept_invitation(jsonb_build_object('invitationId', tests.id('of a member'))) as answer;
reset role;
select is((answer ->> 'joinRequestId')::uuid, (select r.id from app.join_requests as r), 'that an admin has to decide') from answers;

rollback to empty;

-- accept_invitation: needs level 4
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');

select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT403 FORBIDDEN', 'accepting needs level 4');
select is(state, 'pending', 'the refused invitation stays open') from app.hub_invitations;
select is(tests.refusal_of('lena', $$ select app.decline_invitation(tests.id('note')) $$), null, 'declining does not need level 4');

rollback to empty;

-- accept_invitation: of an admin makes a member
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.hub('oak', 'amara');
select tests.invitation('to oak', 'oak', 'amara', 'lena');
select tests.authenticate_as('lena');
select results_eq(
  $$ select * from app.accept_invitation(tests.id('note')) $$, $$ values (tests.id('elm'), null::uuid) $$, 'it opens no join request'
);
reset role;
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member', 'lena: member'], 'but makes a member');
select bag_eq(
  $$ select id, state from app.hub_invitations $$,
  $$ values (tests.id('note'), 'accepted'::app.invitation_state), (tests.id('maya''s'), 'accepted'), (tests.id('to oak'), 'pending') $$,
  'all invitations to this Hub are accepted by it'
);
select results_eq('select tests.events()', array['hub_member_joined: lena, lena'], 'the members are told');
select tests.join_request('lena asks', 'oak', 'lena');
select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('to oak')) $$), null, 'who has asked as well');
select is(state, 'approved', 'need wait no longer') from app.join_requests;
select set_eq($$ select tests.who_may('select app.accept_invitation(null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- accept_invitation: of others makes a join request
select tests.elm();
select tests.invitation('note', 'elm', 'jonas', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.authenticate_as('lena');
create temporary table answered as select * from app.accept_invitation(tests.id('note'));
reset role;
select results_eq(
  'select id, hub_id, user_id, source, state from app.join_requests',
  $$
    select join_request_id, hub_id, tests.id('lena'), 'member_invitation'::app.join_request_source, 'pending_admin_approval'::app.join_request_state
    from answered
    where hub_id = tests.id('elm')
  $$,
  'an invitation by a member opens a join request, and answers it'
);
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'and makes no member');
select bag_eq(
  $$ select id, state from app.hub_invitations $$,
  $$ values (tests.id('note'), 'accepted'::app.invitation_state), (tests.id('maya''s'), 'pending') $$, 'it is accepted, and no other'
);
select results_eq('select tests.events()', array['hub_join_request_created: lena, lena'], 'the join request is told');
select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT409 INVITATION_NOT_PENDING', 'nobody accepts twice');
select is(
  tests.violation_of($$ select tests.authenticate_as('lena'); select app.accept_invitation(tests.id('maya''s')) $$), 'join_requests_pending_key',
  'or asks twice by a manager''s'
);
reset role;
select is(state, 'pending', 'which stays open') from app.hub_invitations where id = tests.id('maya''s');
delete from app.join_requests;
select tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('maya''s')) $$);
select isnt_empty('select from app.join_requests', 'a manager''s opens a join request too');

rollback to empty;

-- create_invitations: answers in the order asked
select tests.elm();
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.invite(variadic p_names text[])
returns jsonb
language sql
return api.create_invitations(tests.in_hub('elm', jsonb_build_object('invitations', (
  select jsonb_agg(
    jsonb_build_object('phoneNumber', tests.phone_of(name), 'tokenHash', tests.hex('token of ' || name), 'sealedToken', 'sealed ' || name)
    order by place
  )
  from unnest(p_names) with ordinality as given (name, place)
))));

select tests.authenticate_as('jonas');
create temporary table answers as select pg_temp.invite('one', 'lena', 'two', 'jonas', 'amara') as answer;
reset role;
select is(answer - 'items', '{"hubName": "elm", "inviterName": "Jonas"}', 'with what the message says: the public name') from answers;
select is(
  array(select item ->> 'sealedToken' from answers, jsonb_array_elements(answer -> 'items') with ordinality as listed (item, place) order by place),
  array['sealed one', 'sealed lena', 'sealed two', 'sealed jonas', 'sealed amara'], 'alike for whoever owns a phone'
);
select set_eq(
  'select (item ->> ''id'')::uuid as id, item ->> ''sealedToken'' as sealed, item ->> ''state'' as state, item ->> ''expiresAt'' as until from answers, jsonb_array_elements(answer -> ''items'') as item',
  $$
    select i.id, 'sealed ' || name as sealed, 'pending' as state, app.iso(app.now() + interval '7 days') as until
    from unnest(array['one', 'lena', 'two', 'jonas', 'amara']) as name
    join app.hub_invitations as i on i.phone = tests.phone_of(name) and i.token_hash = tests.hash('token of ' || name)
    where i.hub_id = tests.id('elm') and i.inviter_id = tests.id('jonas')
  $$,
  'each with its id and how long it lasts'
);
select is(
  array(select distinct jsonb_object_keys(item) from answers, jsonb_array_elements(answer -> 'items') as item order by 1), '{expiresAt,id,sealedToken,state}',
  'and no phone'
);

rollback to empty;

-- create_invitations: is for members
select tests.elm();
create function pg_temp.to_nobody(p_hub text)
returns jsonb
language sql
return tests.in_hub(p_hub, jsonb_build_object('invitations', jsonb_build_array(
  jsonb_build_object('phoneNumber', tests.phone_of('nobody'), 'tokenHash', tests.hex('token'), 'sealedToken', 'sealed')
)));

select is(tests.refusals('create_invitations', pg_temp.to_nobody('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'an outsider invites nobody');
select is(tests.refusals('create_invitations', pg_temp.to_nobody('ash')), tests.everybody('HUB_NOT_FOUND'), 'to no Hub is anybody invited');
select is_empty('select from app.hub_invitations', 'and nothing is made');

rollback to empty;

-- decline_invitation: answers what it is now
select tests.elm();
select tests.invitation('open', 'elm', 'amara', 'lena');
create function pg_temp.args()
returns jsonb
language sql
return jsonb_build_object('invitationId', tests.id('open'));

select is(
  tests.refusals('decline_invitation', pg_temp.args()), (tests.everybody('INVITATION_NOT_FOUND') || '{"nina": "INVITATION_NOT_FOUND"}'::jsonb) - 'lena',
  'only the person whom an invitation names declines it'
);
select tests.authenticate_as('lena');
select is(api.decline_invitation(pg_temp.args()), jsonb_build_object('id', tests.id('open'), 'state', 'declined'), 'which it then is');
reset role;
select results_eq('select state from app.hub_invitations', $$ values ('declined'::app.invitation_state) $$, 'and stays');
select is(
  tests.refusals('decline_invitation', pg_temp.args()), tests.everybody('INVITATION_NOT_FOUND') || '{"nina": "INVITATION_NOT_FOUND", "lena": "INVITATION_NOT_PENDING"}', 'no one declines it twice'
);

rollback to empty;

-- decline_invitation: ends it
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select is(tests.refusal_of('jonas', $$ select app.decline_invitation(tests.id('note')) $$), 'PT404 INVITATION_NOT_FOUND', 'nobody declines for others');
select is(tests.refusal_of('lena', $$ select app.decline_invitation(tests.id('note')) $$), null, 'who is invited declines');
select bag_eq(
  'select id, state from app.hub_invitations',
  $$ values (tests.id('note'), 'declined'::app.invitation_state), (tests.id('maya''s'), 'pending') $$, 'this one, and no other'
);
select is(tests.refusal_of('lena', $$ select app.decline_invitation(tests.id('note')) $$), 'PT409 INVITATION_NOT_PENDING', 'once');
select is_empty('select tests.events()', 'nobody is told');
select set_eq($$ select tests.who_may('select app.decline_invitation(null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- get_invitation: shows what a token opens
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.invitation('open', 'elm', 'jonas', 'lena');
select tests.invitation('over', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('used', 'elm', 'maya', 'lena', 'accepted');
select tests.invitation('closed', 'ash', 'jonas', 'lena');
select tests.close_hub('ash');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.token(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hex(p_name));

create function pg_temp.expected()
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('open'), 'state', 'pending', 'expiresAt', app.iso(app.now() + interval '7 days'), 'hub', app.hub_preview_json(tests.id('elm')),
  'invitedBy', '{"displayName": "Jonas"}'::jsonb
);

select tests.authenticate_as_guest();
select is(api.get_invitation(pg_temp.token('open')), pg_temp.expected(), 'to a guest, with the inviter''s public name');
select is(api.get_invitation(pg_temp.token('over')) ->> 'state', 'expired', 'over is over');
select is(api.get_invitation(pg_temp.token('used')) ->> 'state', 'accepted', 'used is used');
select is(tests.refusal('get_invitation', pg_temp.token('unknown')), 'INVITATION_NOT_FOUND', 'unknown is unknown');
select is(tests.refusal('get_invitation', pg_temp.token('closed')), 'INVITATION_NOT_FOUND', 'as is that of a closed Hub');
select tests.authenticate_as('lena');
select is(api.get_invitation(pg_temp.token('open')), pg_temp.expected(), 'to whom it names');
select is(pg_temp.expected() #> '{hub,invitationId}', to_jsonb(tests.id('open')), 'who is invited by it');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as_guest();
select is(api.get_invitation(pg_temp.token('open')) -> 'invitedBy', '{"displayName": ""}', 'whose account is ending has no name');

rollback to empty;

-- invitation_of: knows it by its token
select tests.elm();
select tests.hub('oak', 'lena');
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('over', 'elm', 'maya', 'lena', 'declined', app.now());
select tests.invitation('late', 'elm', 'jonas', 'lena', 'pending', app.now());
select tests.invitation('to oak', 'oak', 'lena', 'jonas');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_token text)
returns text
language sql
as $$ select tests.refusal_of(null, format('select app.invitation_of(tests.hash(%L))', p_token)) $$;

select tests.authenticate_as_guest();
select is((app.invitation_of(tests.hash('note'))).id, tests.id('note'), 'whoever has its token finds an invitation');
select is((app.invitation_of(tests.hash('over'))).state, 'declined', 'whatever has become of it');
select is((app.invitation_of(tests.hash('late'))).state, 'expired', 'by now');
select is((app.invitation_of(tests.hash('note'))).inviter_name, 'Amara', 'and who has sent it');
reset role;
select tests.block('amara', 'lena');
delete from app.profiles where user_id = tests.id('maya');
select tests.authenticate_as('lena');
select results_eq(
  $$ select (app.invitation_of(tests.hash(token))).inviter_name from unnest(array['note', 'over']) as token $$, array['Amara', null],
  'blocked or not; nobody, where their account has ended'
);
reset role;
select is(pg_temp.refusal_of('nothing'), 'PT404 INVITATION_NOT_FOUND', 'of no other token');
select is(tests.refusal_of(null, 'select app.invitation_of(null)'), 'PT404 INVITATION_NOT_FOUND', 'nor of none');
select is(pg_temp.refusal_of('to oak'), 'PT404 INVITATION_NOT_FOUND', 'nor where the Hub is closed');
select set_eq($$ select tests.who_may('select app.invitation_of(null)') $$, array['anon', 'authenticated'], 'guests look as well');

rollback to empty;

-- list_invitations: has thirty on a page
select tests.elm();
select tests.invitation('of ' || n, 'elm', 'amara', n::text), tests.link('link ' || n, 'elm') from generate_series(1, 31) as n;
insert into app.users (id) select tests.id(n::text) from generate_series(1, 31) as n;
insert into app.profiles (user_id, username, full_name) select tests.id(n::text), 'user_' || n, 'Somebody' from generate_series(1, 31) as n;
select tests.join_request('request ' || n, 'elm', n::text) from generate_series(1, 31) as n;

select tests.authenticate_as('amara');
select is(cardinality(tests.listed(api.list_invitations(tests.in_hub('elm')))), 30, 'unless another number is asked for');
select is(cardinality(tests.listed(api.list_invitations(tests.in_hub('elm', '{"limit": 100}')))), 31, 'up to 100');
select is(cardinality(tests.listed(api.list_invite_links(tests.in_hub('elm')))), 30, 'so also of links');
select is(cardinality(tests.listed(api.list_invite_links(tests.in_hub('elm', '{"limit": 100}')))), 31, 'up to 100');
select is(cardinality(tests.listed(api.list_join_requests(tests.in_hub('elm')))), 30, 'and of requests to join');
select is(cardinality(tests.listed(api.list_join_requests(tests.in_hub('elm', '{"limit": 100}')))), 31, 'up to 100');

rollback to empty;

-- list_invitations: is for members
select tests.elm();
select is(tests.refusals('list_invitations', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'an outsider sees none');
select is(tests.refusals('list_invitations', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are none');
select tests.authenticate_as('amara');
select is(tests.refusal('list_invitations', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'a page holds 100 at most');
select is(tests.refusal('list_invitations', tests.in_hub('elm', '{"limit": 100}')), null, 'and may');
select is(tests.refusal('list_invitations', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'and follows no foreign cursor');

rollback to empty;

-- list_invitations: pages through one moment
select tests.elm();
select tests.hub('ash', 'amara');
select tests.person(name, 4) from unnest(array['two', 'three', 'one']) as name;
select tests.invitation(name, 'elm', 'amara', name), tests.link(name, 'elm'), tests.join_request(name, 'elm', name)
from unnest(array['two', 'three', 'one']) as name;
select tests.invitation('elsewhere', 'ash', 'amara', 'one'), tests.link('elsewhere', 'ash'), tests.join_request('elsewhere', 'ash', 'one');
select tests.without_indexes();

create function pg_temp.in_order()
returns uuid[]
language sql
return array(select id from unnest(tests.ids('one', 'two', 'three')) as id order by id desc);

create function pg_temp.in_parts(p_operation text)
returns uuid[]
language sql
return tests.listed_in_parts(p_operation, tests.in_hub('elm'));

select tests.authenticate_as('amara');
select is(pg_temp.in_parts('list_invitations'), pg_temp.in_order(), 'invitations of one moment are in the order of their ids');
select is(pg_temp.in_parts('list_invite_links'), pg_temp.in_order(), 'so are links');
select is(pg_temp.in_parts('list_join_requests'), pg_temp.in_order(), 'and requests to join');
reset role;
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
update app.invite_links set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
update app.join_requests set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
select tests.authenticate_as('amara');
select is((pg_temp.in_parts('list_invitations'))[3], (pg_temp.in_order())[1], 'the oldest comes last whatever its id');
select is((pg_temp.in_parts('list_invite_links'))[3], (pg_temp.in_order())[1], 'so does a link');
select is((pg_temp.in_parts('list_join_requests'))[3], (pg_temp.in_order())[1], 'and a request to join');

rollback to empty;

-- list_invitations: shows ones own or all
select tests.elm();
select tests.hub('ash', 'lena');
select tests.invitation('of maya', 'elm', 'maya', 'one');
select tests.invitation('of jonas', 'elm', 'jonas', 'two');
select tests.invitation('elsewhere', 'ash', 'lena', 'three');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = tests.id('of maya');

create function pg_temp.list()
returns uuid[]
language sql
return tests.listed(api.list_invitations(tests.in_hub('elm')));

select tests.authenticate_as('amara');
select is(pg_temp.list(), tests.ids('of jonas', 'of maya'), 'an admin sees all of the Hub, newest first');
select is(tests.listed_in_parts('list_invitations', tests.in_hub('elm')), pg_temp.list(), 'or one after the other');
select tests.authenticate_as('maya');
select is(pg_temp.list(), tests.ids('of jonas', 'of maya'), 'as does a manager');
select tests.authenticate_as('jonas');
select is(pg_temp.list(), tests.ids('of jonas'), 'a member sees their own');
reset role;
select tests.membership('ash', 'jonas');
select tests.person('two', 4);
select tests.membership('elm', 'two');
select tests.authenticate_as('two');
select is(pg_temp.list(), '{}', 'and not what names them');

rollback to empty;

-- invitations_json: show what became of them
select tests.elm();
select tests.invitation('open', 'elm', 'jonas', 'one');
select tests.invitation('used', 'elm', 'jonas', 'one', 'accepted');
select tests.invitation('over', 'elm', 'jonas', 'two', 'pending', app.now());
select tests.invitation('of maya', 'elm', 'maya', 'one', 'declined');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.listed(variadic p_names text[])
returns jsonb
language sql
return app.invitations_json(tests.id('elm'), array(select (null, id)::app.list_entry from unnest(tests.ids(variadic p_names)) as id));

select tests.authenticate_as('amara');
select is(
  pg_temp.listed('open') -> 0,
  jsonb_build_object(
    'id', tests.id('open'), 'phoneNumber', tests.phone_of('one'), 'state', 'pending', 'inviteUrl', null, 'shareText', null,
    'expiresAt', app.iso(app.now() + interval '7 days'),
    'invitedBy', jsonb_build_object('userId', tests.id('jonas'), 'displayName', 'Jon of the trees')
  ),
  'without the address, by whoever is called so in the Hub'
);
select is(
  array(select item ->> 'state' from jsonb_array_elements(pg_temp.listed('over', 'used', 'of maya', 'open', 'unknown')) as item),
  '{expired,accepted,declined,pending}', 'in the order they are given, as of now'
);
select is(app.invitations_json(tests.id('elm'), '{}'), '[]', 'none are none');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('amara');
select is(pg_temp.listed('open') #>> '{0,invitedBy,displayName}', '', 'whose account is ending has no name');

rollback to empty;

-- lock_own_invitation: holds who is invited
-- Without profiles, whose references would hold them as well.
set local session_replication_role = replica;
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
set local session_replication_role = origin;

create function pg_temp.held()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' $$;

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select is_empty('select pg_temp.held()', 'nobody is held');
select app.lock_own_invitation(tests.id('note'));
select set_eq('select pg_temp.held()', array[tests.id('lena')], 'then who is invited, until the end of their account finds what they accepted');

rollback to empty;

-- lock_own_invitation: is not between blocked people
select tests.elm();
select tests.invitation('amara''s', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.invitation('jonas''s', 'elm', 'jonas', 'lena');
select tests.block('amara', 'lena');
select tests.block('lena', 'maya');
select tests.block('jonas', 'maya');

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select throws_ok(
  format('select app.lock_own_invitation(tests.id(%L))', name), 'PT404', 'INVITATION_NOT_FOUND', name || ' ''s invitation is not there across a block'
)
from unnest(array['amara''s', 'maya''s']) as name;
select lives_ok($$ select app.lock_own_invitation(tests.id('jonas''s')) $$, 'another is');
select set_eq(
  $$ select id from app.hub_invitations where xmax::text <> '0' $$, array[tests.id('jonas''s')], 'and stays as it is meanwhile'
);

rollback to empty;

-- lock_own_invitation: is of the callers phone
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('over', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation(state::text, 'elm', 'jonas', 'lena', state)
from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state;
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_caller text, p_name text)
returns text
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_caller)::text, true);
  return tests.error_of(format('select app.lock_own_invitation(tests.id(%L))', p_name)) ->> 'code';
end
$$;

select is(pg_temp.refusal_of('lena', 'note'), null, 'one''s own is found');
select is(pg_temp.refusal_of('jonas', 'note'), 'INVITATION_NOT_FOUND', 'nobody else''s is, not even by a member');
select is(pg_temp.refusal_of('jonas', 'over'), 'INVITATION_NOT_FOUND', 'whatever has become of it');
select is(pg_temp.refusal_of('lena', 'nothing'), 'INVITATION_NOT_FOUND', 'nor is any that is not there');
select is(pg_temp.refusal_of('lena', 'to oak'), 'INVITATION_NOT_FOUND', 'nor one to a Hub that has closed');
select is(pg_temp.refusal_of('lena', 'over'), 'INVITATION_NOT_PENDING', 'it may have expired');
select is(pg_temp.refusal_of('lena', state), 'INVITATION_NOT_PENDING', 'or be ' || state) from unnest(array['accepted', 'declined', 'expired']) as state;
select is((app.lock_own_invitation(tests.id('note'))).id, tests.id('note'), 'who locks it has it');
select is_empty($$ select tests.who_may('select app.lock_own_invitation(null)') $$, 'moves alone lock');

rollback to empty;

-- put_invitation: begins anew after the end
select tests.elm();
select tests.hub('oak', 'amara');
select tests.invitation('over', 'elm', 'amara', 'lena', 'pending', app.now());
select tests.invitation('of ann', 'elm', 'amara', 'ann', 'pending', app.now());
select tests.invitation('by maya', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('to oak', 'oak', 'amara', 'lena', 'pending', app.now());
select tests.invitation('declined', 'elm', 'amara', 'lena', 'declined', app.now());
select tests.authenticate_as('amara');
select isnt(
  (app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('new'))).id, tests.id('over'), 'an invitation that has expired is made anew'
);
reset role;
select is(state, 'expired', 'and stays expired') from app.hub_invitations where id = tests.id('over');
select bag_eq(
  $$ select id, state from app.hub_invitations where token_hash <> tests.hash('new') and id <> tests.id('over') $$,
  $$
    values
      (tests.id('of ann'), 'pending'::app.invitation_state), (tests.id('by maya'), 'pending'), (tests.id('to oak'), 'pending'),
      (tests.id('declined'), 'declined')
  $$,
  'all others stay what they were'
);
select results_eq('select tests.events()', array['hub_invite_received: amara, nobody'], 'this is told again');
update app.hub_invitations set state = 'declined' where token_hash = tests.hash('new');
select is(
  tests.refusal_of('amara', $$ select app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('newer')) $$), null,
  'who has declined may be invited again'
);
select results_eq(
  $$ select state, count(*) from app.hub_invitations where phone = tests.phone_of('lena') and hub_id = tests.id('elm') and inviter_id = tests.id('amara') group by 1 order by 1 $$,
  $$ values ('pending'::app.invitation_state, 1::bigint), ('declined', 2), ('expired', 1) $$, 'by an invitation of its own'
);

rollback to empty;

-- put_invitation: invites a phone
select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.invite(p_caller text, p_invited text, p_token text)
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.put_invitation(tests.id(%L), tests.phone_of(%L), tests.hash(%L))', 'elm', p_invited, p_token)
  )
$$;

select is(pg_temp.invite('jonas', 'lena', 'token'), null, 'a member invites');
select results_eq(
  'select hub_id, inviter_id, phone, token_hash, state, created_at, expires_at from app.hub_invitations',
  $$
    values (
      tests.id('elm'), tests.id('jonas'), tests.phone_of('lena'), tests.hash('token'), 'pending'::app.invitation_state, app.now(),
      app.now() + interval '7 days'
    )
  $$,
  'a phone, for a week'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id, invitation_id from app.events',
  $$
    select 'hub_invite_received'::app.event_type, tests.id('jonas'), null::uuid, tests.id('elm'), i.id from app.hub_invitations as i
  $$,
  'and this is told, but not of whom'
);
select pg_temp.invite('maya', 'lena', 'maya''s'), pg_temp.invite('amara', 'lena', 'amara''s'), pg_temp.invite('amara', 'nobody', 'other');
select set_eq(
  'select inviter_id, phone, makes_member from app.hub_invitations',
  $$
    values
      (tests.id('jonas'), tests.phone_of('lena'), false), (tests.id('maya'), tests.phone_of('lena'), false),
      (tests.id('amara'), tests.phone_of('lena'), true), (tests.id('amara'), tests.phone_of('nobody'), true)
  $$,
  'an admin''s makes a member; each is by itself, whoever has the phone'
);
select is(pg_temp.invite('lena', 'ann', 'lena''s'), 'PT403 FORBIDDEN', 'an outsider invites nobody');
select is(pg_temp.invite(null, 'ann', 'nobody''s'), '42501', 'nor does a guest');
select set_eq($$ select tests.who_may('select app.put_invitation(null, null, null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- put_invitation: is limited
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
  select tests.refusal_of(p_caller, format(
    $s$
      select app.put_invitation(tests.id(%1$L), '+1202555' || lpad(n::text, 4, '0'), tests.hash(%2$L || n))
      from generate_series(1, %3$s) as n
    $s$,
    p_hub, p_caller || p_hub || p_count, p_count
  ))
$$;

select is(pg_temp.invite('amara', 300), null, 'a member invites 300 phones a day');
select is(pg_temp.invite('amara', 1), 'PT429 RATE_LIMITED', 'and no more');
select is(pg_temp.invite('amara', 1, 'oak'), 'PT429 RATE_LIMITED', 'to whatever Hub');
select is((select count(*)::integer from app.hub_invitations), 300, 'of which nothing comes');
select is(
  array[pg_temp.invite('maya', 300), pg_temp.invite('jonas', 300), pg_temp.invite('ann', 100)], array[null, null, null]::text[],
  'a Hub''s members 1,000'
);
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$) -> 'details', '{"retryAfterSeconds": 288}',
  'then one each three hundredth of a day'
);
select tests.authenticate_as('ben');
select is(
  tests.error_of($$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 87}}', 'and no more, but one each thousandth'
);
reset role;
select app.set_clock_offset('0');
select is(pg_temp.invite('amara', 300), null, 'the next day is another');

rollback to empty;

-- put_invitation: renews what is open
select tests.elm();
select tests.invitation('note', 'elm', 'maya', 'lena');
select tests.invitation('jonas''s', 'elm', 'jonas', 'lena', p_expires_at => app.now() + interval '1 day');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select app.set_clock_offset('10 minutes');
select tests.authenticate_as('maya');
select is(
  (app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('new'))).id, tests.id('note'), 'whoever is invited again has the same invitation'
);
reset role;
select results_eq(
  $$ select token_hash, makes_member, state, expires_at from app.hub_invitations where id = tests.id('note') $$,
  $$ values (tests.hash('new'), true, 'pending'::app.invitation_state, now() + interval '7 days 10 minutes') $$,
  'with another token, for another week, by what the inviter is now'
);
select is_empty('select from app.events', 'and is not told again');
select results_eq(
  $$ select token_hash, state, expires_at from app.hub_invitations where id = tests.id('jonas''s') $$,
  $$ values (tests.hash('jonas''s'), 'pending'::app.invitation_state, now() + interval '1 day') $$,
  'what others sent stays as it is'
);

select * from finish();
rollback;
