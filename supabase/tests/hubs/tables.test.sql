begin;
select plan(85);
savepoint empty;

-- Policies show the rows of a Hub to whom they concern (docs/product.md H1).
select tests.elm();
select tests.person('ann', 4), tests.membership('elm', 'ann');
select tests.hub('oak', 'lena'), tests.membership('oak', 'jonas');
select tests.invitation('by jonas', 'elm', 'jonas', 'lena'), tests.invitation('by ann', 'elm', 'ann', 'lena');
select tests.invitation('of somebody', 'elm', 'ann', 'somebody'), tests.invitation('to oak', 'oak', 'lena', 'somebody');
select tests.invite_link('elm link', 'elm'), tests.invite_link('oak link', 'oak');
select tests.join_request('of lena', 'elm', 'lena'), tests.join_request('of ann', 'oak', 'ann');

create function pg_temp.seen_by(p_caller text, p_table text)
returns text[]
language plpgsql
as $$
declare
  v_names text[];
begin
  perform tests.authenticate_as(p_caller);
  execute format($s$
    select array(
      select name
      from unnest(array[
        'by jonas', 'by ann', 'of somebody', 'to oak', 'elm link', 'oak link', 'of lena', 'of ann'
      ]) with ordinality as given (name, place)
      where tests.id(name) in (select id from app.%I)
      order by place
    )
  $s$, p_table) into v_names;
  perform set_config('role', 'none', true);
  return v_names;
end
$$;

select is(pg_temp.seen_by(caller, relation), expected::text[], title)
from (
  values
    ('jonas', 'hub_invitations', '{by jonas}', 'a member sees only their own invitations'),
    ('maya', 'hub_invitations', '{by jonas,by ann,of somebody}', 'a manager sees all invitations of the Hub'),
    ('amara', 'hub_invitations', '{by jonas,by ann,of somebody}', 'an admin sees all invitations of the Hub'),
    ('lena', 'hub_invitations', '{by jonas,by ann,to oak}', 'an invited user sees the invitations of their phone'),
    ('amara', 'invite_links', '{elm link}', 'an admin sees the invite links of the Hub'),
    ('maya', 'invite_links', '{elm link}', 'a manager sees the invite links of the Hub'),
    ('jonas', 'invite_links', '{}', 'a member sees no invite link'),
    ('lena', 'invite_links', '{oak link}', 'an admin of another Hub sees no invite link of the Hub'),
    (
      'lena', 'join_requests', '{of lena,of ann}',
      'an applicant sees their join request, and an admin those of their Hub'
    ),
    ('amara', 'join_requests', '{of lena}', 'an admin sees no join request of another Hub'),
    ('maya', 'join_requests', '{of lena}', 'a manager sees the join requests of the Hub'),
    ('jonas', 'join_requests', '{}', 'a member sees no join request of another user')
) as c (caller, relation, expected, title);
select tests.authenticate_as('jonas');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'ann: member', 'jonas: member', 'lena: admin', 'jonas: member'],
  'a member sees the members of all their Hubs'
);
select tests.authenticate_as('lena');
select is_empty($$ select tests.members('elm') $$, 'a non-member sees no members of a Hub');
reset role;

select tests.block('lena', 'jonas'), tests.block('ann', 'lena');
select is(
  pg_temp.seen_by('lena', 'hub_invitations'), array['to oak'],
  'an invited user sees no invitation by the other side of a blocked pair'
);
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
select is(pg_temp.seen_by('jonas', 'hub_invitations'), '{}', 'a former member sees no invitation that they made');
select tests.membership('elm', 'jonas');

create function pg_temp.links_after_delete_by(p_caller text)
returns text[]
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  delete from app.invite_links;
  perform set_config('role', 'none', true);
  return array(
    select name from unnest(array['elm link', 'oak link']) as name join app.invite_links on id = tests.id(name)
  );
end
$$;

select is(pg_temp.links_after_delete_by('jonas'), '{elm link,oak link}', 'a member cannot delete an invite link');
select is(pg_temp.links_after_delete_by('maya'), '{oak link}', 'a manager deletes the invite links of their Hub only');
select tests.invite_link('elm link', 'elm');
select is(pg_temp.links_after_delete_by('amara'), '{oak link}', 'an admin deletes the invite links of their Hub only');

rollback to empty;

-- hubs: everybody sees open Hubs, and admins change their own.
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.names_after_change_by(p_caller text)
returns text[]
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  update app.hubs set name = 'Elm street', description = 'Trees';
  perform set_config('role', 'none', true);
  return array(select h.name from app.hubs as h order by h.name desc);
end
$$;

select is(pg_temp.names_after_change_by(caller), expected::text[], title)
from (
  values
    ('maya', '{oak,elm}', 'a manager cannot change a Hub'), ('jonas', '{oak,elm}', 'a member cannot change a Hub'),
    ('amara', '{oak,Elm street}', 'an admin changes only their own Hub')
) as c (caller, expected, title);
select tests.close_hub('oak');
select tests.authenticate_as('lena');
select results_eq('select name from app.hubs', array['Elm street'], 'a signed-in user sees open Hubs only');
select tests.authenticate_as_guest();
select results_eq('select name from app.hubs', array['Elm street'], 'a guest sees open Hubs only');

rollback to empty;

-- hub_mutes: members read and write their own.
select tests.elm();
insert into app.hub_mutes (hub_id, user_id) values (tests.id('elm'), tests.id('maya'));

select is(
  tests.refusal_as(
    caller, format('insert into app.hub_mutes (hub_id, user_id) select tests.id(%L), tests.id(%L)', 'elm', muter)
  ),
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
select results_eq(
  'select user_id from app.hub_mutes', array[tests.id('maya')], 'a member deletes only their own mutes'
);

rollback to empty;

-- hubs: constraints.
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
  tests.violation_of($$ insert into app.hubs (name, custom_link) values ('Other', 'elm-street') $$),
  'hubs_custom_link_key',
  'two Hubs cannot have the same custom link'
);
select is(
  pg_temp.violation('closed_at = app.now(), custom_link = null'), 'hubs_closed_are_empty',
  'a Hub with a member cannot be closed'
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

select is(
  tests.violation_of('delete from app.assets'), 'hubs_photo_asset_id_fkey', 'a photo of a Hub cannot be deleted'
);
update app.hubs set photo_asset_id = tests.id('bark') where id = tests.id('elm');
select is_empty('select tests.expired_objects()', 'a Hub photo that another Hub shows is not released');
delete from app.hubs where id = tests.id('oak');
select set_eq(
  'select tests.expired_objects()', array[tests.id('leaves')], 'a Hub photo is released when its last Hub is deleted'
);
update app.hubs set photo_asset_id = null;
select set_eq(
  'select tests.expired_objects()', array[tests.id('leaves'), tests.id('bark')],
  'a Hub photo is released when its Hub drops it'
);

rollback to empty;

-- hub_invitations, invite_links and join_requests: constraints.
select tests.elm();
select tests.hub('oak', 'amara');
select tests.invitation('first', 'elm', 'amara', 'lena'), tests.invite_link('first', 'elm');
select tests.join_request('first', 'elm', 'lena');

select is(tests.violation_of(format('select tests.%s(%L, %s)', fixture, title, arguments)), expected, title)
from (
  values
    (
      'invitation', $$'elm', 'amara', 'lena'$$, 'hub_invitations_pending_key',
      'a member cannot have two pending invitations of one phone to one Hub'
    ),
    ('invitation', $$'elm', 'amara', 'ann'$$, null, 'a member can invite several phones to a Hub'),
    ('invitation', $$'elm', 'maya', 'lena'$$, null, 'two members can invite one phone to a Hub'),
    ('invitation', $$'oak', 'amara', 'lena'$$, null, 'a member can invite one phone to two Hubs'),
    (
      'invitation', $$'elm', 'amara', 'lena', 'declined'$$, null, 'a declined invitation can stand beside a pending one'
    ),
    (
      'join_request', $$'elm', 'lena'$$, 'join_requests_pending_key',
      'a user cannot have two pending join requests for one Hub'
    ),
    ('join_request', $$'elm', 'lena', 'rejected'$$, null, 'a rejected join request can stand beside a pending one'),
    ('join_request', $$'oak', 'lena'$$, null, 'a user can have join requests for two Hubs'),
    ('join_request', $$'elm', 'amara'$$, null, 'two users can have join requests for one Hub')
) as c (fixture, arguments, expected, title);
select is(tests.violation_of(format('update app.%I set %s', relation, change)), expected, title)
from (
  values
    (
      'hub_invitations', $$token_hash = 'short'$$, 'hub_invitations_token_hash_is_sha256',
      'an invitation stores a SHA-256 hash'
    ),
    (
      'hub_invitations', 'token_hash = sha256(hub_id::text::bytea)', 'hub_invitations_token_hash_key',
      'invitations share no token'
    ),
    (
      'hub_invitations', $$phone = '2025550100'$$, 'hub_invitations_phone_is_e164',
      'an invitation stores its phone as E.164'
    ),
    (
      'invite_links', $$token_hash = 'short'$$, 'invite_links_token_hash_is_sha256',
      'an invite link stores a SHA-256 hash'
    ),
    (
      'invite_links', 'max_uses = 0', 'invite_links_max_uses_is_within_limit',
      'an invite link cannot be limited to zero uses'
    ),
    ('invite_links', 'max_uses = 1', null, 'an invite link can be limited to one use'),
    ('invite_links', 'max_uses = 1000', null, 'an invite link can be limited to 1,000 uses'),
    (
      'invite_links', 'max_uses = 1001', 'invite_links_max_uses_is_within_limit',
      'an invite link cannot be limited to 1,001 uses'
    ),
    ('invite_links', 'use_count = -1', 'invite_links_are_used_within_limit', 'a use count cannot be negative'),
    (
      'invite_links', 'use_count = 2, max_uses = 1', 'invite_links_are_used_within_limit',
      'the use count of an invite link cannot exceed its limit'
    ),
    ('invite_links', $$expires_at = created_at + interval '30 days'$$, null, 'an invite link can expire after 30 days'),
    (
      'invite_links', $$expires_at = created_at + interval '30 days 1 microsecond'$$,
      'invite_links_expire_within_30_days',
      'an invite link cannot expire later than after 30 days'
    ),
    ('invite_links', 'use_count = 2000, max_uses = null', null, 'an unlimited invite link can have any use count')
) as c (relation, change, expected, title);
select is(
  tests.violation_of($$ select tests.membership('elm', 'jonas', 'manager') $$), 'memberships_pkey',
  'a user cannot be a member of a Hub twice'
);
select is(
  tests.violation_of($$
    insert into app.invite_links (hub_id, creator_id, token_hash, expires_at)
    values (tests.id('oak'), tests.id('lena'), tests.hash('first'), app.now())
  $$),
  'invite_links_token_hash_key', 'two invite links cannot have the same token'
);

rollback to empty;

-- Tables of Hubs: defaults, and enums in order.
select tests.elm();
insert into app.hubs (name) values ('Élm');
insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
values (tests.id('elm'), tests.id('maya'), '+12025550100', tests.hash('token'), false, app.now());
insert into app.invite_links (hub_id, creator_id, token_hash, expires_at)
values (tests.id('elm'), tests.id('amara'), tests.hash('link'), app.now());
insert into app.join_requests (hub_id, user_id, source) values (tests.id('elm'), tests.id('lena'), 'invite_link');
insert into app.memberships (hub_id, user_id, role) values (tests.id('elm'), tests.id('lena'), 'member');
select results_eq(
  format('select %s from app.%I where %s', columns, relation, filter), format('values (%s)', expected), title
)
from (
  values
    (
      'hubs', $$name = 'Élm'$$, 'description, search_name collate "default", member_count, last_activity_at, closed_at',
      $$'', 'elm', 0, app.now(), null::timestamptz$$, 'a Hub is by default open, without members, and active now'
    ),
    (
      'hub_invitations', 'true', 'state, created_at', $$'pending'::app.invitation_state, app.now()$$,
      'an invitation is by default pending and created now'
    ),
    (
      'invite_links', 'true', 'use_count, max_uses, created_at', '0, null::integer, app.now()',
      'an invite link is by default unused, unlimited and created now'
    ),
    (
      'join_requests', 'true', 'state, created_at', $$'pending_admin_approval'::app.join_request_state, app.now()$$,
      'a join request is by default pending and created now'
    ),
    (
      'memberships', $$user_id = tests.id('lena')$$, 'joined_at, seen_at', 'app.now(), null::timestamptz',
      'a membership by default begins now and has no last use'
    )
) as c (relation, filter, columns, expected, title);
select is(
  enum_range(null::app.hub_role)::text, '{member,manager,admin}', 'roles ascend from member to manager to admin'
);

rollback to empty;

-- memberships: only listed functions write them. A review of each addition says why (docs/product.md H10).
create function pg_temp.functions_with(p_pattern text)
returns setof text
language sql
as $$ select signature from tests.our_functions where definition ~ p_pattern $$;

select bag_eq(format('select pg_temp.functions_with(%L)', pattern), signatures, title)
from (
  values
    (
      'insert into app\.memberships',
      array['app.insert_hub(text,text,text,uuid)', 'app.become_member(uuid,uuid)', 'staff.lift_hub_suspension(uuid)'],
      'only insert_hub, become_member and lift_hub_suspension insert memberships'
    ),
    (
      'perform app\.become_member',
      array['app.accept_invitation(uuid)', 'app.decide_join_request(uuid,uuid,app.join_request_state)'],
      'only accept_invitation and decide_join_request call become_member'
    ),
    (
      '(delete from app\.memberships|update app\.memberships[^;]* role =)',
      array[
        'app.delete_memberships(uuid,uuid[])', 'app.change_role(uuid,uuid,app.hub_role,uuid)',
        'staff.suspend_hub(uuid,app.report_reason,text)'
      ],
      'only delete_memberships, change_role and suspend_hub delete memberships or change roles'
    )
) as c (pattern, signatures, title);

select * from finish();
rollback;
