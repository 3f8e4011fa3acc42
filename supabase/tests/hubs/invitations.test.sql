begin;
select plan(73);
savepoint empty;

-- accept_invitation requires that the inviter was an admin and still is (docs/product.md H10).
select tests.elm();
select tests.person('ann', 4), tests.membership('elm', 'ann', 'admin');
select tests.invitation('of a former admin', 'elm', 'amara', 'lena');
update app.memberships set role = 'manager' where user_id = tests.id('amara');
select tests.invitation('of a later admin', 'elm', 'maya', 'lena');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.invitation('of a former member', 'elm', 'jonas', 'lena', p_makes_member => true);
delete from app.memberships where user_id = tests.id('jonas');
select tests.invitation('of an admin', 'elm', 'ann', 'lena');
-- Being admin of another Hub does not count.
select tests.hub('oak', 'amara'), tests.hub('ash', 'jonas');

create function pg_temp.status_after(p_invitation text)
returns text
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  perform tests.authenticate_as('lena');
  v_answer := api.accept_invitation(jsonb_build_object('invitationId', tests.id(p_invitation)));
  perform set_config('role', 'none', true);
  delete from app.join_requests;
  return v_answer ->> 'viewerStatus';
end
$$;

select is(
  pg_temp.status_after('of ' || inviter), expected, format('the invitation of %s makes its user %s', inviter, expected)
)
from (
  values
    ('a former admin', 'pending_admin_approval'), ('a later admin', 'pending_admin_approval'),
    ('a former member', 'pending_admin_approval'), ('an admin', 'member')
) as c (inviter, expected);
select tests.invitation('note', 'elm', 'maya', 'lena');
select is(
  tests.refusal_as('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT409 ALREADY_MEMBER',
  'a member cannot accept an invitation to their own Hub'
);
select results_eq(
  $$ select tests.states('note') $$, array['note: pending'], 'an invitation refused to a member stays pending'
);

rollback to empty;

-- accept_invitation requires level 4, decline_invitation does not (docs/product.md H6, H13).
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');

select is(tests.refusal_as('lena', call), expected, title)
from (
  values
    (
      $$ select app.accept_invitation(tests.id('note')) $$, 'PT403 FORBIDDEN',
      'a user below level 4 cannot accept an invitation'
    ),
    (
      $$ select api.decline_invitation(jsonb_build_object('invitationId', tests.id('note'))) $$, null,
      'a user below level 4 can decline an invitation'
    )
) as c (call, expected, title);

rollback to empty;

-- accept_invitation makes a member of a user whom an admin invited, and settles what was open between user and Hub.
-- docs/product.md H10, H15
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.invitation('note', 'elm', 'amara', 'lena'), tests.invitation('of maya', 'elm', 'maya', 'lena');
select tests.invitation('declined', 'elm', 'maya', 'lena', 'declined'),
  tests.invitation('to oak', 'oak', 'ann', 'lena');
select tests.invitation('over', 'elm', 'jonas', 'lena', 'pending', app.now()),
  tests.invitation('for ann', 'elm', 'amara', 'ann');
select tests.join_request('of lena', 'elm', 'lena'), tests.join_request('rejected', 'elm', 'lena', 'rejected');
select tests.join_request('of ann', 'elm', 'ann'), tests.join_request('for oak', 'oak', 'lena');
create temporary table args as select jsonb_build_object('invitationId', tests.id('note')) as args;
grant select on args to public;

select tests.authenticate_as('lena');
select is(
  api.accept_invitation(args),
  jsonb_build_object('hubId', tests.id('elm'), 'viewerStatus', 'member', 'joinRequestId', null),
  'accepting an admin''s invitation answers membership and no join request'
)
from args;
reset role;
select results_eq(
  $$ select hub_id, role, joined_at from app.memberships where user_id = tests.id('lena') $$,
  $$ values (tests.id('elm'), 'member'::app.hub_role, app.now()) $$,
  'accepting an admin''s invitation makes the user a member who joined now'
);
select bag_eq(
  $$
    select tests.states(
      'note', 'of maya', 'declined', 'to oak', 'over', 'for ann', 'of lena', 'rejected', 'of ann', 'for oak'
    )
  $$,
  array[
    'note: accepted', 'of maya: accepted', 'declined: declined', 'to oak: pending', 'over: pending', 'for ann: pending',
    'of lena: approved', 'rejected: rejected', 'of ann: pending_admin_approval', 'for oak: pending_admin_approval'
  ],
  'becoming a member accepts the user''s pending invitations and join request for this Hub, and no others'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_member_joined'::app.event_type, tests.id('lena'), tests.id('lena'), tests.id('elm')) $$,
  'accepting an admin''s invitation notifies the Hub''s members alone'
);
select is(
  tests.refusals('accept_invitation', args),
  tests.refusals_of_all('INVITATION_NOT_FOUND') || '{"lena": "INVITATION_NOT_PENDING"}',
  'only the invited user finds an invitation, and cannot accept it twice'
)
from args;

rollback to empty;

-- accept_invitation opens a join request for a user whom a member or manager invited (docs/product.md H10).
select tests.elm();
select tests.invitation('note', 'elm', 'jonas', 'lena'), tests.invitation('of maya', 'elm', 'maya', 'lena');
create temporary table args as select jsonb_build_object('invitationId', tests.id('note')) as args;
grant select on args to public;

select tests.authenticate_as('lena');
create temporary table answers as select api.accept_invitation(args) as answer from args;
reset role;
select results_eq(
  'select id, hub_id, user_id, source::text, state::text from app.join_requests',
  $$
    select
      (answer ->> 'joinRequestId')::uuid, (answer ->> 'hubId')::uuid, tests.id('lena'), 'member_invitation',
      answer ->> 'viewerStatus'
    from answers
    where answer ->> 'hubId' = tests.id('elm')::text
  $$,
  'accepting a member''s invitation opens a join request and answers it'
);
select bag_eq(
  $$ select tests.members('elm') union all select tests.states('note', 'of maya') $$,
  array['amara: admin', 'maya: manager', 'jonas: member', 'note: accepted', 'of maya: pending'],
  'accepting a member''s invitation adds no member and accepts no other invitation'
);
select results_eq(
  'select tests.events()', array['hub_join_request_created: lena, lena'],
  'accepting a member''s invitation notifies of a join request'
);
select is(
  tests.violation_of($$ select tests.authenticate_as('lena'); select app.accept_invitation(tests.id('of maya')) $$),
  'join_requests_pending_key', 'a user with an open join request cannot open another by invitation'
);
reset role;
select results_eq(
  $$ select tests.states('of maya') $$, array['of maya: pending'],
  'an invitation stays pending when the join request is refused'
);

rollback to empty;

-- create_invitations lets members invite phone numbers (docs/product.md H11, H12).
select tests.elm();
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');
select tests.authenticate_as('jonas');
create temporary table answers as
select api.create_invitations(tests.hub_args('elm', jsonb_build_object('invitations', (
  select jsonb_agg(
    jsonb_build_object(
      'phoneNumber', tests.phone_of(name), 'tokenHash', tests.hash_hex('token of ' || name), 'sealedToken',
      'sealed ' || name
    )
    order by place
  )
  from unnest(array['one', 'lena', 'two', 'jonas', 'amara']) with ordinality as given (name, place)
)))) as answer;
reset role;
-- Nobody learns from the answer which number has an account.
select is(
  answer,
  jsonb_build_object('hubName', 'elm', 'inviterName', 'Jonas', 'items', (
    select jsonb_agg(
      jsonb_build_object(
        'id', i.id, 'state', 'pending', 'expiresAt', app.iso(app.now() + interval '7 days'), 'sealedToken',
        'sealed ' || name
      )
      order by place
    )
    from unnest(array['one', 'lena', 'two', 'jonas', 'amara']) with ordinality as given (name, place)
    join app.hub_invitations as i on i.phone = tests.phone_of(name) and i.token_hash = tests.hash('token of ' || name)
  )),
  'create_invitations answers all numbers alike and in order, without phones, with the inviter''s public name'
)
from answers;

rollback to empty;

-- create_invitations answers numbers that are not in E.164 form as invalid, and refuses a request without any other.
-- docs/product.md H12
select tests.elm();
select tests.authenticate_as('jonas');
create temporary table answers as
select api.create_invitations(tests.hub_args('elm', jsonb_build_object('invitations', jsonb_build_array(
  '{"phoneNumber": null}'::jsonb,
  jsonb_build_object(
    'phoneNumber', tests.phone_of('lena'), 'tokenHash', tests.hash_hex('token'), 'sealedToken', 'sealed'
  ),
  '{"phoneNumber": "0202 5550103"}'
)))) as answer;
select results_eq(
  $$
    select item ->> 'state', item ->> 'sealedToken', item ->> 'id' is null
    from answers, jsonb_array_elements(answer -> 'items') as item
  $$,
  $$ values ('invalid', null, true), ('pending', 'sealed', false), ('invalid', null, true) $$,
  'create_invitations answers a number that is not in E.164 form as invalid, in its place'
);
select is(
  tests.error_of(
    format('select api.create_invitations(%L)', tests.hub_args('elm', '{"invitations": [{"phoneNumber": null}]}'))
  )
    #>> '{details,issues,0,code}',
  'invalid_phone', 'create_invitations refuses a request without any number in E.164 form'
);
reset role;

rollback to empty;

-- decline_invitation ends an invitation of the caller's phone (docs/product.md H13).
select tests.elm();
select tests.invitation('open', 'elm', 'amara', 'lena'), tests.invitation('of maya', 'elm', 'maya', 'lena');
create temporary table args as select jsonb_build_object('invitationId', tests.id('open')) as args;
grant select on args to public;

select tests.authenticate_as('lena');
select is(
  api.decline_invitation(args), jsonb_build_object('id', tests.id('open'), 'state', 'declined'),
  'decline_invitation answers the invitation as declined'
)
from args;
reset role;
select bag_eq(
  $$ select tests.states('open', 'of maya') $$, array['open: declined', 'of maya: pending'],
  'decline_invitation declines this invitation and no other'
);
select is(
  tests.refusals('decline_invitation', args),
  tests.refusals_of_all('INVITATION_NOT_FOUND') || '{"nina": "INVITATION_NOT_FOUND", "lena": "INVITATION_NOT_PENDING"}',
  'only the invited user finds an invitation to decline, and cannot decline it twice'
)
from args;
select is_empty('select tests.events()', 'declining an invitation notifies nobody');

rollback to empty;

-- get_invitation shows an invitation to everybody with its token (docs/product.md H14).
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.invitation('open', 'elm', 'jonas', 'lena'), tests.invitation('closed', 'ash', 'jonas', 'lena');
select tests.invitation('expired', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('accepted', 'elm', 'maya', 'lena', 'accepted');
select tests.invitation('declined', 'elm', 'maya', 'lena', 'declined', app.now());
select tests.close_hub('ash');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.token(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hash_hex(p_name));

create function pg_temp.expected(p_inviter text default 'Jonas')
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('open'), 'state', 'pending', 'expiresAt', app.iso(app.now() + interval '7 days'),
  'hub', app.hub_preview_json(tests.id('elm')), 'invitedBy', jsonb_build_object('displayName', p_inviter)
);

select tests.authenticate_as_guest();
select is(
  api.get_invitation(pg_temp.token('open')), pg_temp.expected(),
  'a guest reads an invitation, with the inviter''s public name'
);
select is(
  api.get_invitation(pg_temp.token(name)) ->> 'state', name,
  'get_invitation answers the state of an invitation that is ' || name
)
from unnest(array['expired', 'accepted', 'declined']) as name;
select is(tests.refusal('get_invitation', args), 'INVITATION_NOT_FOUND', title)
from (
  values
    (pg_temp.token('unknown'), 'an unknown token finds no invitation'), ('{}', 'a missing token finds no invitation'),
    (pg_temp.token('closed'), 'a token of an invitation to a closed Hub finds nothing')
) as c (args, title);
reset role;
select tests.block('jonas', 'lena');
select tests.authenticate_as('lena');
select is(
  api.get_invitation(pg_temp.token('open')), pg_temp.expected(),
  'an invited user whom the inviter blocks reads the same invitation as a guest'
);
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as_guest();
select is(
  api.get_invitation(pg_temp.token('open')), pg_temp.expected(''),
  'an inviter without a profile has an empty name for guests'
);

rollback to empty;

-- list_invitations shows all invitations of a Hub to managers and admins, and to members their own.
-- docs/product.md H8
select tests.elm();
select tests.hub('ash', 'lena'), tests.membership('ash', 'jonas');
select tests.person('two', 4), tests.membership('elm', 'two');
select tests.invitation('of maya', 'elm', 'maya', 'one'), tests.invitation('of jonas', 'elm', 'jonas', 'two');
select tests.invitation('elsewhere', 'ash', 'lena', 'three');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = tests.id('of maya');

create function pg_temp.listed_by(p_caller text)
returns uuid[]
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return tests.item_ids(api.list_invitations(tests.hub_args('elm')));
end
$$;

select is(pg_temp.listed_by(caller), tests.ids(variadic expected::text[]), title)
from (
  values
    ('amara', '{of jonas,of maya}', 'an admin lists all invitations of the Hub, newest first'),
    ('maya', '{of jonas,of maya}', 'a manager lists all invitations of the Hub'),
    ('jonas', '{of jonas}', 'a member lists only the invitations they sent'),
    ('two', '{}', 'a member does not list an invitation of their own phone')
) as c (caller, expected, title);

rollback to empty;

-- invitations_json answers invitations as a list shows them.
select tests.elm();
select tests.invitation('open', 'elm', 'jonas', 'one'), tests.invitation('used', 'elm', 'jonas', 'one', 'accepted');
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
    'id', tests.id('open'), 'phoneNumber', tests.phone_of('one'), 'state', 'pending', 'inviteUrl', null, 'shareText',
    null,
    'expiresAt', app.iso(app.now() + interval '7 days'),
    'invitedBy', jsonb_build_object('userId', tests.id('jonas'), 'displayName', 'Jon of the trees')
  ),
  'a listed invitation has no URL and shows the inviter''s Hub profile'
);
select is(
  array(
    select item ->> 'state'
    from jsonb_array_elements(pg_temp.listed('over', 'used', 'of maya', 'open', 'unknown')) as item
  ),
  '{expired,accepted,declined,pending}', 'invitations_json keeps the given order and omits unknown ids'
);
select is(pg_temp.listed(variadic '{}'), '[]', 'invitations_json of no ids is an empty array');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('amara');
select is(
  pg_temp.listed('open') #> '{0,invitedBy}', '{"userId": "", "displayName": ""}',
  'an inviter without a profile is anonymous in lists'
);

rollback to empty;

-- lock_own_invitation locks the caller's row in users against the end of their account.
-- Fixtures skip foreign keys, whose locks on users would look the same.
set local session_replication_role = replica;
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena'), tests.invitation('of maya', 'elm', 'maya', 'lena');
set local session_replication_role = origin;

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select is(
  (app.lock_own_invitation(tests.id('note'))).id, tests.id('note'), 'lock_own_invitation returns the locked invitation'
);
-- A locked row has the transaction in its xmax.
select set_eq(
  $$
    select id
    from app.users
    where xmax::text <> '0'
    union all select id
    from app.hub_invitations
    where xmax::text <> '0'
  $$,
  tests.ids('lena', 'note'), 'lock_own_invitation locks the invited user and the invitation, and no others'
);

rollback to empty;

-- lock_own_invitation requires a pending invitation of the caller's phone, and no block.
-- docs/product.md H13
select tests.elm();
select tests.person('ann', 4), tests.person('ben', 4), tests.person('cleo', 4);
select tests.hub('oak', 'cleo');
select tests.membership('elm', name) from unnest(array['ann', 'ben']) as name;
select tests.invitation('note', 'elm', 'amara', 'lena'),
  tests.invitation('over', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation(state::text, 'elm', 'jonas', 'lena', state)
from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state;
select tests.invitation('to oak', 'oak', 'cleo', 'lena'), tests.invitation('of ann', 'elm', 'ann', 'lena');
select tests.invitation('of ben', 'elm', 'ben', 'lena');
select tests.close_hub('oak');
select tests.block('ann', 'lena'), tests.block('lena', 'ben'), tests.block('amara', 'maya');

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
from (
  values
    ('jonas', 'note', 'INVITATION_NOT_FOUND', 'a member cannot find an invitation of another phone'),
    ('jonas', 'over', 'INVITATION_NOT_FOUND', 'a member cannot find an expired invitation of another phone'),
    ('lena', 'nothing', 'INVITATION_NOT_FOUND', 'lock_own_invitation does not find an unknown id'),
    ('lena', 'to oak', 'INVITATION_NOT_FOUND', 'the invited user cannot find an invitation to a closed Hub'),
    (
      'lena', 'of ann', 'INVITATION_NOT_FOUND',
      'the invited user cannot find an invitation of an inviter who blocks them'
    ),
    (
      'lena', 'of ben', 'INVITATION_NOT_FOUND',
      'the invited user cannot find an invitation of an inviter whom they block'
    ),
    ('lena', 'over', 'INVITATION_NOT_PENDING', 'an invitation past its expiry is not pending'),
    ('lena', 'accepted', 'INVITATION_NOT_PENDING', 'an accepted invitation is not pending'),
    ('lena', 'declined', 'INVITATION_NOT_PENDING', 'a declined invitation is not pending'),
    ('lena', 'expired', 'INVITATION_NOT_PENDING', 'an invitation in state expired is not pending')
) as c (caller, name, expected, title);
select is(
  pg_temp.refusal('lena', 'note'), null,
  'the invited user can lock a pending invitation, whomever else its inviter blocks'
);

rollback to empty;

-- put_invitation lets members invite a phone number, and renews or replaces an earlier invitation.
-- docs/product.md H11, H12
select tests.elm();
select tests.hub('oak', 'amara');

create function pg_temp.invite(p_caller text, p_invited text, p_token text)
returns text
language sql
as $$
  select tests.refusal_as(
    p_caller,
    format('select app.put_invitation(tests.id(%L), tests.phone_of(%L), tests.hash(%L))', 'elm', p_invited, p_token)
  )
$$;

select is(pg_temp.invite('jonas', 'lena', 'token'), null, 'a member can invite a phone number');
select results_eq(
  'select hub_id, inviter_id, phone, token_hash, makes_member, state, created_at, expires_at from app.hub_invitations',
  $$
    values (
      tests.id('elm'), tests.id('jonas'), tests.phone_of('lena'), tests.hash('token'), false,
      'pending'::app.invitation_state,
      app.now(), app.now() + interval '7 days'
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
select is(pg_temp.invite('lena', 'ann', 'refused'), 'PT403 FORBIDDEN', 'a non-member cannot invite a phone number');
select pg_temp.invite('maya', 'lena', 'of maya'), pg_temp.invite('amara', 'lena', 'of amara');
select set_eq(
  'select inviter_id, makes_member, token_hash from app.hub_invitations',
  $$
    values
      (tests.id('jonas'), false, tests.hash('token')), (tests.id('maya'), false, tests.hash('of maya')),
      (tests.id('amara'), true, tests.hash('of amara'))
  $$,
  'only an admin''s invitation makes a member; inviters share no invitation'
);
delete from app.hub_invitations;
delete from app.events;

select tests.invitation('over', 'elm', 'amara', 'lena', 'pending', app.now());
select tests.invitation('of ann', 'elm', 'amara', 'ann', 'pending', app.now());
select tests.invitation('by maya', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('to oak', 'oak', 'amara', 'lena', 'pending', app.now());
select tests.invitation('declined', 'elm', 'amara', 'lena', 'declined', app.now());
select pg_temp.invite('amara', 'lena', 'new');
select bag_eq(
  $$
    select tests.states('over', 'of ann', 'by maya', 'to oak', 'declined')
    union all
    select 'new: ' || state from app.hub_invitations where token_hash = tests.hash('new') and id <> tests.id('over')
  $$,
  array[
    'over: expired', 'of ann: pending', 'by maya: pending', 'to oak: pending', 'declined: declined', 'new: pending'
  ],
  'put_invitation replaces the expired invitation of this inviter, number and Hub, beside declined ones'
);
select results_eq(
  'select tests.events()', array['hub_invite_received: amara, nobody'],
  'a new invitation after an expired one notifies again'
);
delete from app.hub_invitations;
delete from app.events;

select tests.invitation('note', 'elm', 'maya', 'lena');
select tests.invitation('of jonas', 'elm', 'jonas', 'lena', p_expires_at => app.now() + interval '1 day');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select app.set_clock_offset('10 minutes');
select pg_temp.invite('maya', 'lena', 'new');
select bag_eq(
  $$ select id, token_hash, makes_member, state, expires_at - now() from app.hub_invitations $$,
  $$
    values
      (tests.id('note'), tests.hash('new'), true, 'pending'::app.invitation_state, interval '7 days 10 minutes'),
      (tests.id('of jonas'), tests.hash('of jonas'), false, 'pending', interval '1 day')
  $$,
  'inviting a number again renews token, expiry and role of the inviter''s own pending invitation'
);
select is_empty('select from app.events', 'inviting a number again does not notify again');

rollback to empty;

-- put_invitation has a rate limit of 300 numbers a day per user and 1,000 per Hub (docs/product.md W26).
select app.set_clock_offset('-1 day');
select tests.elm();
select tests.hub('oak', 'amara'), tests.membership('oak', 'maya');
select tests.person(name, 4), tests.membership('elm', name) from unnest(array['ann', 'ben']) as name;

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

select is(pg_temp.invite(caller, count, hub), expected, title)
from (
  values
    ('amara', 290, 'elm', null, 'a member can invite 290 numbers in one day'),
    ('amara', 11, 'elm', 'PT429 RATE_LIMITED', 'a member cannot invite 301 numbers in one day'),
    ('amara', 10, 'elm', null, 'a refused call uses up nothing of the rate limit'),
    ('amara', 1, 'elm', 'PT429 RATE_LIMITED', 'a member cannot invite one number more than 300'),
    ('amara', 1, 'oak', 'PT429 RATE_LIMITED', 'the rate limit of a user counts invitations to all Hubs')
) as c (caller, count, hub, expected, title);
select is(
  array[pg_temp.invite('maya', 300), pg_temp.invite('jonas', 300), pg_temp.invite('ann', 100)],
  array[null, null, null]::text[],
  'the members of one Hub can invite 1,000 numbers in one day'
);

create function pg_temp.error_of_one_more(p_caller text)
returns jsonb
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return tests.error_of($s$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $s$);
end
$$;

select is(
  pg_temp.error_of_one_more(caller),
  jsonb_build_object(
    'state', 'PT429', 'code', 'RATE_LIMITED', 'details', jsonb_build_object('retryAfterSeconds', seconds)
  ),
  format('the rate limit of a %s refills by one every %s seconds', what, seconds)
)
from (values ('amara', 288, 'user'), ('ben', 87, 'Hub')) as c (caller, seconds, what);
reset role;
select app.set_clock_offset('0');
select is(pg_temp.invite('amara', 300), null, 'a member can invite another 300 numbers the next day');

select * from finish();
rollback;
