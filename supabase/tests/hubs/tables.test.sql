begin;
select plan(89);
savepoint empty;

-- hub_invitations: inviters, invited users, managers and admins see an invitation.
select tests.elm();
select tests.person('ann', 4);
select tests.membership('elm', 'ann');
select tests.invitation('by jonas', 'elm', 'jonas', 'lena');
select tests.invitation('by ann', 'elm', 'ann', 'lena');
select tests.invitation('of somebody', 'elm', 'ann', 'somebody');
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');
select tests.invitation('to oak', 'oak', 'lena', 'somebody');

create function pg_temp.invitations_seen_by(p_caller text)
returns text[]
language plpgsql
as $$
declare
  v_names text[];
begin
  perform tests.authenticate_as(p_caller);
  v_names := array(
    select name from unnest(array['by jonas', 'by ann', 'of somebody', 'to oak']) with ordinality as given (name, place)
    where tests.id(name) in (select i.id from app.hub_invitations as i)
    order by place
  );
  perform set_config('role', 'none', true);
  return v_names;
end
$$;

select is(pg_temp.invitations_seen_by(caller), expected, title)
from (
  values
    ('jonas', array['by jonas'], 'a member sees only their own invitations'),
    ('maya', array['by jonas', 'by ann', 'of somebody'], 'a manager sees all invitations of the Hub'),
    ('amara', array['by jonas', 'by ann', 'of somebody'], 'an admin sees all invitations of the Hub'),
    ('lena', array['by jonas', 'by ann', 'to oak'], 'an invited user sees the invitations of their phone')
) as c (caller, expected, title);
select tests.block('lena', 'jonas');
select tests.block('ann', 'lena');
select is(
  pg_temp.invitations_seen_by('lena'), array['to oak'], 'an invited user sees no invitation by the other side of a blocked pair'
);
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
select is(pg_temp.invitations_seen_by('jonas'), '{}', 'a former member sees no invitation that they made');

rollback to empty;

-- hub_invitations: constraints and defaults.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.invitation('first', 'elm', 'amara', 'lena');

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of('update app.hub_invitations set ' || p_change) $$;

select is(
  tests.violation_of(format('select tests.invitation(%L, %L, %L, %L, %L)', title, hub, inviter, invited, state)), expected, title
)
from (
  values
    (
      'elm', 'amara', 'lena', 'pending', 'hub_invitations_pending_key',
      'a member cannot have two pending invitations of one phone to one Hub'
    ),
    ('elm', 'amara', 'ann', 'pending', null, 'a member can invite several phones to a Hub'),
    ('elm', 'maya', 'lena', 'pending', null, 'two members can invite one phone to a Hub'),
    ('oak', 'amara', 'lena', 'pending', null, 'a member can invite one phone to two Hubs'),
    ('elm', 'amara', 'lena', 'declined', null, 'a declined invitation can stand beside a pending one')
) as c (hub, inviter, invited, state, expected, title);
delete from app.hub_invitations where id <> tests.id('first');
select is(
  tests.violation_of($$
    insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
    select i.hub_id, tests.id('maya'), i.phone, i.token_hash, false, app.now() from app.hub_invitations as i
  $$),
  'hub_invitations_token_hash_key', 'two invitations cannot have the same token'
);
select is(
  pg_temp.violation($$ token_hash = 'short' $$), 'hub_invitations_token_hash_is_sha256',
  'an invitation stores a SHA-256 hash of its token'
);
select is(
  pg_temp.violation($$ phone = '2025550100' $$), 'hub_invitations_phone_is_e164', 'an invitation stores its phone as E.164'
);
insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
values (tests.id('elm'), tests.id('maya'), '+12025550100', tests.hash('token'), false, app.now());
select results_eq(
  $$ select state, created_at from app.hub_invitations where phone = '+12025550100' $$,
  $$ values ('pending'::app.invitation_state, app.now()) $$, 'an invitation is by default pending and created now'
);
select is(
  enum_range(null::app.invitation_state)::text, '{pending,accepted,declined,expired}',
  'an invitation is pending, accepted, declined or expired'
);

rollback to empty;

-- hub_mutes: members read and write their own.
select tests.elm();
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('maya'));

select is(
  tests.refusal_as(caller, format('insert into app.hub_mutes (hub_id, user_id) select tests.id(%L), tests.id(%L)', 'elm', muter)),
  expected, title
)
from (
  values
    ('jonas', 'jonas', null, 'a member can mute a Hub'),
    ('jonas', 'amara', '42501', 'a member cannot mute a Hub for another member'),
    ('lena', 'lena', '42501', 'a non-member cannot mute a Hub')
) as c (caller, muter, expected, title);
select tests.authenticate_as('jonas');
select results_eq('select user_id from app.hub_mutes', array[tests.id('jonas')], 'a member reads only their own mutes');
delete from app.hub_mutes;
reset role;
select results_eq('select user_id from app.hub_mutes', array[tests.id('maya')], 'a member deletes only their own mutes');

rollback to empty;

-- hubs: everybody sees open Hubs, and admins change their own.
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.changed_by(p_caller text)
returns text[]
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  update app.hubs set name = p_caller, description = p_caller, custom_link = p_caller;
  perform set_config('role', 'none', true);
  return array(select h.name from app.hubs as h where h.custom_link = p_caller and h.description = p_caller);
end
$$;

select is(pg_temp.changed_by(caller), '{}', title)
from (values ('maya', 'a manager cannot change a Hub'), ('jonas', 'a member cannot change a Hub')) as c (caller, title);
select tests.authenticate_as('amara');
update app.hubs set name = 'Elm street';
reset role;
select bag_eq('select name from app.hubs', array['Elm street', 'oak'], 'an admin changes only their own Hub');

select tests.close_hub('oak');
select tests.authenticate_as('lena');
select results_eq('select name from app.hubs', array['Elm street'], 'a signed-in user sees open Hubs only');
select tests.authenticate_as_guest();
select results_eq('select name from app.hubs', array['Elm street'], 'a guest sees open Hubs only');

rollback to empty;

-- hubs: constraints and defaults.
insert into app.hubs (name) values ('Élm');
select results_eq(
  'select description, search_name collate "default", member_count, last_activity_at, closed_at from app.hubs',
  $$ values ('', 'elm', 0, app.now(), null::timestamptz) $$, 'a Hub is by default open, without members, and active now'
);
select tests.person('amara', 4);
select tests.hub('elm', 'amara');

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of(format('update app.hubs set %s where id = tests.id(%L)', p_change, 'elm')) $$;

select is(pg_temp.violation(format('%I = %L', attribute, value)), expected, title)
from (
  values
    ('name', 'a', 'hubs_name_length', 'a Hub name cannot have one character'),
    ('name', ' a ', 'hubs_name_length', 'blanks around a Hub name do not count as characters'),
    ('name', 'ab', null, 'a Hub name can have two characters'),
    ('name', repeat('é', 80), null, 'a Hub name can have 80 characters'),
    ('name', repeat('é', 81), 'hubs_name_length', 'a Hub name cannot have 81 characters'),
    ('description', repeat('é', 500), null, 'a Hub description can have 500 characters'),
    ('description', repeat('é', 501), 'hubs_description_length', 'a Hub description cannot have 501 characters'),
    ('custom_link', 'elm', null, 'a custom link can have three characters'),
    ('custom_link', 'e-1', null, 'a custom link can have dashes and digits'),
    ('custom_link', repeat('e', 40), null, 'a custom link can have 40 characters'),
    ('custom_link', 'el', 'hubs_custom_link_is_canonical', 'a custom link cannot have two characters'),
    ('custom_link', repeat('e', 41), 'hubs_custom_link_is_canonical', 'a custom link cannot have 41 characters'),
    ('custom_link', 'Elm', 'hubs_custom_link_is_canonical', 'a custom link cannot have upper-case letters'),
    ('custom_link', 'é-lm', 'hubs_custom_link_is_canonical', 'a custom link cannot have accents'),
    ('custom_link', 'elm ', 'hubs_custom_link_is_canonical', 'a custom link cannot end with a blank'),
    ('custom_link', E'elm\n', 'hubs_custom_link_is_canonical', 'a custom link cannot end with a line break')
) as c (attribute, value, expected, title);
update app.hubs set custom_link = 'elm-street' where id = tests.id('elm');
select is(
  tests.violation_of($$ insert into app.hubs (name, custom_link) values ('Other', 'elm-street') $$), 'hubs_custom_link_key',
  'two Hubs cannot have the same custom link'
);
select is(
  pg_temp.violation('closed_at = app.now(), custom_link = null'), 'hubs_closed_are_empty', 'a Hub with a member cannot be closed'
);
select is(
  pg_temp.violation('closed_at = app.now(), member_count = 0'), 'hubs_closed_are_empty',
  'a closed Hub cannot keep its custom link'
);

rollback to empty;

-- hubs: a photo is released with the last Hub that shows it.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.asset(name, 'amara', 'hub_photo') from unnest(array['leaves', 'bark']) as name;
update app.hubs set photo_asset_id = tests.id('leaves');

select is(tests.violation_of('delete from app.assets'), 'hubs_photo_asset_id_fkey', 'a photo of a Hub cannot be deleted');
update app.hubs set photo_asset_id = tests.id('bark') where id = tests.id('elm');
select is_empty('select tests.expired_objects()', 'a Hub photo that another Hub shows is not released');
delete from app.hubs where id = tests.id('oak');
select set_eq(
  'select tests.expired_objects()', array[tests.id('leaves')], 'a Hub photo is released when its last Hub is deleted'
);
update app.hubs set photo_asset_id = null;
select set_eq(
  'select tests.expired_objects()', array[tests.id('leaves'), tests.id('bark')], 'a Hub photo is released when its Hub drops it'
);

rollback to empty;

-- invite_links: managers and admins see and revoke the links of their Hub.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.invite_link('elm link', 'elm');
select tests.invite_link('oak link', 'oak');

create function pg_temp.links_seen_by(p_caller text)
returns uuid[]
language plpgsql
as $$
declare
  v_ids uuid[];
begin
  perform tests.authenticate_as(p_caller);
  v_ids := array(select l.id from app.invite_links as l);
  perform set_config('role', 'none', true);
  return v_ids;
end
$$;

create function pg_temp.links_after_delete_by(p_caller text)
returns uuid[]
language plpgsql
as $$
begin
  delete from app.invite_links;
  perform tests.invite_link('elm link', 'elm'), tests.invite_link('oak link', 'oak');
  perform tests.authenticate_as(p_caller);
  delete from app.invite_links;
  perform set_config('role', 'none', true);
  return array(select l.id from app.invite_links as l order by l.hub_id = tests.id('oak'));
end
$$;

select is(pg_temp.links_seen_by(caller), expected, title)
from (
  values
    ('amara', tests.ids('elm link'), 'an admin sees the invite links of the Hub'),
    ('maya', tests.ids('elm link'), 'a manager sees the invite links of the Hub'),
    ('jonas', '{}', 'a member sees no invite link'),
    ('lena', tests.ids('oak link'), 'an admin of another Hub sees no invite link of the Hub')
) as c (caller, expected, title);
select is(pg_temp.links_after_delete_by(caller), expected, title)
from (
  values
    ('amara', tests.ids('oak link'), 'an admin deletes only the invite links of their Hub'),
    ('maya', tests.ids('oak link'), 'a manager deletes only the invite links of their Hub'),
    ('jonas', tests.ids('elm link', 'oak link'), 'a member cannot delete an invite link'),
    ('lena', tests.ids('elm link'), 'an admin of another Hub cannot delete an invite link of the Hub')
) as c (caller, expected, title);

rollback to empty;

-- invite_links: constraints and defaults.
select tests.elm();
insert into app.invite_links (hub_id, token_hash, expires_at) values (tests.id('elm'), tests.hash('link'), app.now());
select results_eq(
  'select use_count, max_uses, created_at from app.invite_links', 'values (0, null::integer, app.now())',
  'an invite link is by default unused, unlimited and created now'
);
select is(
  tests.violation_of($$
    insert into app.invite_links (hub_id, token_hash, expires_at) values (tests.id('elm'), tests.hash('link'), app.now())
  $$),
  'invite_links_token_hash_key', 'two invite links cannot have the same token'
);
select is(tests.violation_of('update app.invite_links set ' || change), expected, title)
from (
  values
    ($$ token_hash = 'short' $$, 'invite_links_token_hash_is_sha256', 'an invite link stores a SHA-256 hash of its token'),
    ('max_uses = 0', 'invite_links_max_uses_is_within_limit', 'an invite link cannot be limited to zero uses'),
    ('max_uses = 1', null, 'an invite link can be limited to one use'),
    ('max_uses = 1000', null, 'an invite link can be limited to 1,000 uses'),
    ('max_uses = 1001', 'invite_links_max_uses_is_within_limit', 'an invite link cannot be limited to 1,001 uses'),
    ('use_count = -1', 'invite_links_are_used_within_limit', 'the use count of an invite link cannot be negative'),
    (
      'use_count = 2, max_uses = 1', 'invite_links_are_used_within_limit',
      'the use count of an invite link cannot exceed its limit'
    ),
    ($$ expires_at = created_at + interval '30 days' $$, null, 'an invite link can expire after 30 days'),
    (
      $$ expires_at = created_at + interval '30 days 1 microsecond' $$, 'invite_links_expire_within_30_days',
      'an invite link cannot expire later than after 30 days'
    ),
    ('use_count = 2000, max_uses = null', null, 'an unlimited invite link can have any use count')
) as c (change, expected, title);

rollback to empty;

-- join_requests: applicants, managers and admins see a join request.
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.join_request('of lena', 'elm', 'lena');

create function pg_temp.sees_request(p_caller text)
returns boolean
language plpgsql
as $$
declare
  v_sees boolean;
begin
  perform tests.authenticate_as(p_caller);
  v_sees := exists (select from app.join_requests);
  perform set_config('role', 'none', true);
  return v_sees;
end
$$;

select is(pg_temp.sees_request(caller), expected, title)
from (
  values
    ('lena', true, 'an applicant sees their join request'),
    ('amara', true, 'an admin sees the join requests of the Hub'),
    ('maya', true, 'a manager sees the join requests of the Hub'),
    ('jonas', false, 'a member sees no join request of another user'),
    ('ann', false, 'an admin of another Hub sees no join request of the Hub')
) as c (caller, expected, title);

rollback to empty;

-- join_requests: constraints and defaults.
select tests.elm();
select tests.hub('oak', 'amara');
insert into app.join_requests (hub_id, user_id, source) values (tests.id('elm'), tests.id('lena'), 'invite_link');
select results_eq(
  'select state, created_at from app.join_requests', $$ values ('pending_admin_approval'::app.join_request_state, app.now()) $$,
  'a join request is by default pending and created now'
);
select is(tests.violation_of(format('select tests.join_request(%L, %L, %L, %L)', title, hub, applicant, state)), expected, title)
from (
  values
    (
      'elm', 'lena', 'pending_admin_approval', 'join_requests_pending_key',
      'a user cannot have two pending join requests for one Hub'
    ),
    ('elm', 'lena', 'rejected', null, 'a rejected join request can stand beside a pending one'),
    ('oak', 'lena', 'pending_admin_approval', null, 'a user can have join requests for two Hubs'),
    ('elm', 'amara', 'pending_admin_approval', null, 'two users can have join requests for one Hub')
) as c (hub, applicant, state, expected, title);

rollback to empty;

-- memberships: members see the members of their Hubs.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');

select tests.authenticate_as('jonas');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: member', 'lena: admin', 'jonas: member'],
  'a member sees the members of all their Hubs'
);
select tests.authenticate_as('amara');
select bag_eq(
  'select user_id from app.memberships', tests.ids('amara', 'maya', 'jonas'), 'a member sees no members of other Hubs'
);
select tests.authenticate_as('lena');
select is_empty($$ select tests.members('elm') $$, 'a non-member sees no members of a Hub');

rollback to empty;

-- memberships: only listed functions write them. A review of each addition says why.
create function pg_temp.functions_with(p_pattern text)
returns setof text
language sql
as $$ select signature from tests.our_functions where definition ~ p_pattern $$;

select bag_eq(format('select pg_temp.functions_with(%L)', pattern), signatures, title)
from (
  values
    (
      'insert into app\.memberships',
      array['app.insert_hub(text,text,text,uuid)', 'app.become_member(uuid,uuid)', 'staff.restore_hub(uuid,text)'],
      'only insert_hub, become_member and restore_hub insert memberships'
    ),
    (
      'perform app\.become_member',
      array['app.accept_invitation(uuid)', 'app.decide_join_request(uuid,uuid,app.join_request_state)'],
      'only accept_invitation and decide_join_request call become_member'
    ),
    (
      '(delete from app\.memberships|update app\.memberships[^;]* role =)',
      array['app.end_membership(uuid,uuid)', 'app.change_role(uuid,uuid,app.hub_role,uuid)', 'staff.suspend_hub(uuid,text)'],
      'only end_membership, change_role and suspend_hub delete memberships or change roles'
    )
) as c (pattern, signatures, title);

rollback to empty;

-- memberships: constraints and defaults.
select tests.elm();
select is(
  tests.violation_of($$ select tests.membership('elm', 'jonas', 'manager') $$), 'memberships_pkey',
  'a user cannot be a member of a Hub twice'
);
insert into app.memberships (hub_id, user_id, role) values (tests.id('elm'), tests.id('lena'), 'member');
select results_eq(
  $$ select joined_at, seen_at from app.memberships where user_id = tests.id('lena') $$,
  'values (app.now(), null::timestamptz)', 'a membership by default begins now and has no last use'
);
select is(enum_range(null::app.hub_role)::text, '{member,manager,admin}', 'roles ascend from member to manager to admin');

select * from finish();
rollback;
