begin;
select plan(126);
savepoint empty;

-- active_users counts the members seen within 24 hours, in slots of five minutes.
select tests.elm();
select tests.hub('ash', 'maya');
insert into app.hub_presence (hub_id, seen_in, member_count)
values
  (tests.id('elm'), app.now() + interval '1 minute', 1),
  (tests.id('elm'), app.now() - interval '24 hours 4 minutes 59 seconds', 10),
  (tests.id('elm'), app.now() - interval '24 hours 5 minutes', 100),
  (tests.id('ash'), app.now(), 1000);

select tests.authenticate_as('jonas');
select is(app.active_users(tests.id('elm')), 11::bigint, 'active_users sums the slots of the last 24 hours and five minutes');
select is(app.active_users(tests.id('ash')), 0::bigint, 'active_users returns zero to a non-member');
reset role;
delete from app.hub_presence where hub_id = tests.id('elm');
select tests.authenticate_as('jonas');
select is(app.active_users(tests.id('elm')), 0::bigint, 'active_users returns zero for a Hub without presence');

rollback to empty;

-- create_hub returns a Hub whose admin is the caller.
select tests.elm();
select tests.asset('photo', 'lena', 'hub_photo');
select tests.asset('other photo', 'amara', 'hub_photo');
select tests.asset('face', 'lena', 'profile_photo');

create function pg_temp.with_photo(p_name text)
returns jsonb
language sql
return jsonb_build_object('name', 'Ash', 'profileAssetId', tests.id(p_name));

select is(
  tests.refusals('create_hub', '{"name": "Fir"}'), tests.refusals_below_level_4(),
  'create_hub requires a live session and level 4'
);
select tests.authenticate_as('lena');
select is(
  api.create_hub('{"name": "Ash", "description": "Trees", "customLink": "ash-1"}' || pg_temp.with_photo('photo')) - 'id',
  jsonb_build_object(
    'name', 'Ash', 'description', 'Trees', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'),
    'memberCount', 1, 'viewerStatus', 'member', 'viewerRole', 'admin', 'customLink', 'ash-1', 'activeUsers24h', 1
  ),
  'create_hub returns the Hub with the caller as its admin'
);
select is(
  api.create_hub('{"name": "Bay"}') - 'id' - 'memberCount' - 'viewerStatus' - 'viewerRole' - 'activeUsers24h',
  '{"name": "Bay", "description": "", "profilePhotoUrl": null, "customLink": null}', 'create_hub requires only a name'
);
select is(
  tests.violation_of($$ select api.create_hub('{"name": "Cob", "customLink": "ash-1"}') $$), 'hubs_custom_link_key',
  'create_hub refuses the custom link of another Hub'
);
select is(tests.refusal('create_hub', pg_temp.with_photo(photo)), 'VALIDATION_FAILED', title)
from (
  values
    ('other photo', 'create_hub refuses a photo of another user'),
    ('face', 'create_hub refuses a photo that was uploaded for another purpose')
) as c (photo, title);

rollback to empty;

-- insert_hub makes the caller the admin and only member.
select tests.person('amara', 4);
select tests.person('maya', 4);
select tests.person('jonas', 3);
select tests.asset('leaves', 'amara', 'hub_photo');
select tests.asset('bark', 'maya', 'hub_photo');
select tests.asset('face', 'amara', 'profile_photo');

create function pg_temp.refusal(p_caller text, p_photo text, p_link text default null)
returns text
language sql
as $$ select tests.refusal_as(p_caller, format('select app.insert_hub(%L, null, %L, tests.id(%L))', 'Oak', p_link, p_photo)) $$;

select is(pg_temp.refusal(caller, photo), expected, title)
from (
  values
    ('jonas', null, 'PT403 FORBIDDEN', 'a user below level 4 cannot insert a Hub'),
    (null, null, '42501', 'a guest cannot insert a Hub'),
    ('amara', 'bark', 'PT422 VALIDATION_FAILED', 'insert_hub refuses a photo of another user'),
    ('amara', 'face', 'PT422 VALIDATION_FAILED', 'insert_hub refuses a photo that was uploaded for another purpose')
) as c (caller, photo, expected, title);
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.insert_hub('Oak', null, null, tests.id('bark')) $$) #> '{details,issues,0,path}',
  '["profileAssetId"]',
  'insert_hub names profileAssetId in the error of a refused photo'
);
reset role;
select is_empty('select from app.hubs', 'a refused insert_hub inserts no Hub');

select tests.authenticate_as('amara');
create temporary table inserted as select app.insert_hub('Elm', 'A street', 'elm', tests.id('leaves')) as id;
reset role;
select results_eq(
  'select id, name, description, custom_link collate "default", photo_asset_id, member_count from app.hubs',
  $$ select id, 'Elm', 'A street', 'elm', tests.id('leaves'), 1 from inserted $$,
  'insert_hub stores its arguments and returns the id'
);
select results_eq(
  'select hub_id, user_id, role from app.memberships',
  $$ select id, tests.id('amara'), 'admin'::app.hub_role from inserted $$, 'insert_hub makes the caller the admin and only member'
);
select is_empty('select from app.events', 'insert_hub emits no event for the new Hub');
select is(pg_temp.refusal('amara', null), null, 'insert_hub requires only a name');
select results_eq(
  $$ select description, custom_link collate "default", photo_asset_id from app.hubs where name = 'Oak' $$,
  $$ values ('', null, null::uuid) $$, 'insert_hub leaves description, custom link and photo empty by default'
);
select is(pg_temp.refusal('maya', null, 'elm'), '23505', 'insert_hub refuses the custom link of another Hub');

rollback to empty;

-- fold_presence makes one row of each Hub's slot.
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.see(p_time text)
returns void
language sql
as $$ update app.memberships as m set seen_at = ('2026-01-01 ' || p_time || '+00')::timestamptz $$;

create function pg_temp.presence()
returns setof text
language sql
as $$
  select format(
    '%s %s: %s%s', h.name, to_char(p.seen_in at time zone 'UTC', 'HH24:MI'), p.member_count,
    case when not p.is_folded then ' not folded' end
  )
  from app.hub_presence as p
  join app.hubs as h on h.id = p.hub_id
$$;

select pg_temp.see('12:01'), pg_temp.see('12:06');
select bag_eq(
  'select pg_temp.presence()',
  array[
    'elm 12:00: 3 not folded', 'elm 12:00: -3 not folded', 'elm 12:05: 3 not folded',
    'oak 12:00: 1 not folded', 'oak 12:00: -1 not folded', 'oak 12:05: 1 not folded'
  ],
  'presence only adds rows before a fold'
);
select app.fold_presence();
select bag_eq(
  'select pg_temp.presence()', array['elm 12:05: 3', 'oak 12:05: 1'],
  'fold_presence makes one row per Hub and slot, and none of zero'
);
delete from app.memberships where user_id = tests.id('jonas');
select app.fold_presence();
select bag_eq('select pg_temp.presence()', array['elm 12:05: 2', 'oak 12:05: 1'], 'fold_presence adds new rows to a folded one');
select app.fold_presence();
select bag_eq('select pg_temp.presence()', array['elm 12:05: 2', 'oak 12:05: 1'], 'fold_presence counts no row twice');
select is(
  tests.violation_of($$
    insert into app.hub_presence (hub_id, seen_in, member_count, is_folded) select hub_id, seen_in, 1, true from app.hub_presence
  $$),
  'hub_presence_folded_key', 'a slot of a Hub cannot have two folded rows'
);

rollback to empty;

-- get_hub returns the whole Hub to members and a preview to everybody else.
select tests.elm();
select tests.person('anonymous', 1);
select tests.hub('ash', 'lena');
select tests.close_hub('ash');
update app.hubs set custom_link = 'elm-street' where id = tests.id('elm');
update app.memberships set seen_at = app.now() - interval '1 hour' where user_id in (tests.id('amara'), tests.id('maya'));

create function pg_temp.card()
returns jsonb
language sql
as $$ select app.hub_card(h, app.viewer_status(h.id)) from app.hubs as h $$;

create function pg_temp.more_than_preview()
returns jsonb
language sql
as $$
  select pg_temp.card() - array(select jsonb_object_keys(app.hub_preview(h, app.viewer_status(h.id)))) from app.hubs as h
$$;

select tests.authenticate_as('lena');
select is(pg_temp.more_than_preview(), '{}', 'hub_card shows a non-member the preview only');
select tests.authenticate_as('jonas');
select is(
  pg_temp.more_than_preview(), '{"customLink": "elm-street", "activeUsers24h": 2}',
  'hub_card shows a member the custom link and the active users too'
);
select is(pg_temp.card() ->> 'viewerRole', 'member', 'hub_card shows a member what the preview holds');
select is(app.hub_json(tests.id('elm')), pg_temp.card(), 'hub_json returns the card of a Hub');
select throws_ok(format('select app.hub_json(tests.id(%L))', hub), 'PT404', 'HUB_NOT_FOUND', title)
from (
  values
    ('ash', 'hub_json raises HUB_NOT_FOUND for a closed Hub'),
    ('unknown', 'hub_json raises HUB_NOT_FOUND for an unknown Hub')
) as c (hub, title);
reset role;

select is(
  tests.refusals('get_hub', tests.hub_args('elm')), '{"guest": "no privilege", "signed out": "UNAUTHORIZED"}',
  'get_hub requires a session and no level'
);
select tests.authenticate_as('lena');
select set_config(
  'request.jwt.claims', (tests.claims('lena') || jsonb_build_object('session_id', tests.id('ended session')))::text, true
);
select is(
  tests.refusal('get_hub', tests.hub_args('elm')), 'UNAUTHORIZED', 'get_hub refuses a non-member whose session has ended'
);
select tests.authenticate_as('anonymous');
select is(
  api.get_hub(tests.hub_args('elm')), (select app.hub_preview(h, ('none', null, null, null)) from app.hubs as h),
  'get_hub returns the preview to a non-member'
);
select is(tests.refusal('get_hub', tests.hub_args(hub)), 'HUB_NOT_FOUND', title)
from (
  values
    ('ash', 'get_hub raises HUB_NOT_FOUND for a closed Hub'),
    ('unknown', 'get_hub raises HUB_NOT_FOUND for an unknown Hub')
) as c (hub, title);
select tests.authenticate_as('jonas');
select is(api.get_hub(tests.hub_args('elm')) ->> 'customLink', 'elm-street', 'get_hub returns the whole Hub to a member');
reset role;
select results_eq(
  'select user_id from app.memberships where seen_at = app.now()', tests.ids('jonas'),
  'get_hub records that the member used the Hub'
);

rollback to empty;

-- get_hub_settings and update_hub_settings: each member mutes a Hub for themselves.
select tests.elm();
select tests.hub('ash', 'jonas');

select is(tests.refusals(operation, tests.hub_args(hub, args)), expected, title)
from (
  values
    (
      'get_hub_settings', 'elm', '{}'::jsonb, tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'get_hub_settings requires level 4 and a membership'
    ),
    (
      'update_hub_settings', 'elm', '{"contentMuted": true}', tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'update_hub_settings requires level 4 and a membership'
    ),
    (
      'get_hub_settings', 'unknown', '{}', tests.refusals_of_all('HUB_NOT_FOUND'),
      'get_hub_settings raises HUB_NOT_FOUND for an unknown Hub'
    ),
    (
      'update_hub_settings', 'unknown', '{"contentMuted": true}', tests.refusals_of_all('HUB_NOT_FOUND'),
      'update_hub_settings raises HUB_NOT_FOUND for an unknown Hub'
    )
) as c (operation, hub, args, expected, title);
select tests.authenticate_as('jonas');
select is(api.get_hub_settings(tests.hub_args('elm')), '{"contentMuted": false}', 'a Hub is not muted by default');
select is(
  api.update_hub_settings(tests.hub_args('elm', '{"contentMuted": true}')), '{"contentMuted": true}',
  'update_hub_settings returns that the Hub is muted'
);
select is(
  api.get_hub_settings(tests.hub_args('elm')), '{"contentMuted": true}', 'get_hub_settings returns that the Hub is muted'
);
select is(api.get_hub_settings(tests.hub_args('ash')), '{"contentMuted": false}', 'update_hub_settings mutes one Hub only');
select tests.authenticate_as('amara');
select is(
  api.get_hub_settings(tests.hub_args('elm')), '{"contentMuted": false}', 'update_hub_settings mutes a Hub for one member only'
);
select tests.authenticate_as('jonas');
select is(
  api.update_hub_settings(tests.hub_args('elm', '{"contentMuted": false}')), '{"contentMuted": false}',
  'update_hub_settings returns that the Hub is not muted'
);
select is(api.get_hub_settings(tests.hub_args('elm')), '{"contentMuted": false}', 'update_hub_settings ends a mute of the Hub');

rollback to empty;

-- hub_preview shows what everybody may see, and what is open between Hub and viewer.
select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
update app.hubs set name = 'Elm', description = 'Trees', photo_asset_id = tests.id('photo'), custom_link = 'elm-street';

create function pg_temp.expected(p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('elm'), 'name', 'Elm', 'description', 'Trees',
  'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'),
  'memberCount', 3, 'viewerStatus', 'none', 'viewerRole', null
) || p_change;

select tests.authenticate_as_guest();
select is(app.hub_preview(h, (status, role, invitation_id, request_id)::app.membership_status), pg_temp.expected(change), title)
from app.hubs as h
cross join (
  values
    ('none', null::app.hub_role, null::uuid, null::uuid, '{}'::jsonb, 'hub_preview shows a guest seven fields'),
    (
      'invited', null, tests.id('invitation'), null,
      jsonb_build_object('viewerStatus', 'invited', 'invitationId', tests.id('invitation')),
      'hub_preview shows an invited user the invitation''s id'
    ),
    (
      'pending_admin_approval', null, null, tests.id('request'),
      jsonb_build_object('viewerStatus', 'pending_admin_approval', 'joinRequestId', tests.id('request')),
      'hub_preview shows an applicant the join request''s id'
    ),
    (
      'member', 'manager', null, null, '{"viewerStatus": "member", "viewerRole": "manager"}',
      'hub_preview shows a member their role'
    )
) as c (status, role, invitation_id, request_id, change, title);

rollback to empty;

-- list_my_hubs: levels, limits and cursors.
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.hub('oak', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');
select tests.authenticate_as('lena');
select is(tests.item_ids(api.list_my_hubs('{}')), tests.ids('elm'), 'list_my_hubs below level 4 lists invitations only');
reset role;
update app.users set phone = null, phone_verified_at = null where id = tests.id('lena');
select tests.authenticate_as('lena');
select is(api.list_my_hubs('{}'), '{"items": [], "nextCursor": null}', 'list_my_hubs without a verified phone is empty');
reset role;
update app.users
set phone = '+12025559999', phone_verified_at = app.now(), contacts_synced_at = app.now()
where id = tests.id('lena');
select is(tests.refusal_as(null, $$ select api.list_my_hubs('{}') $$), '42501', 'a guest cannot list Hubs of their own');
delete from app.hubs where id = tests.id('oak');
select tests.hub('hub ' || n, 'lena') from generate_series(1, 31) as n;
select tests.authenticate_as('lena');
select is(cardinality(tests.item_ids(api.list_my_hubs(args))), expected, title)
from (
  values
    ('{}'::jsonb, 30, 'list_my_hubs returns 30 Hubs by default'),
    ('{"limit": 100}', 31, 'list_my_hubs accepts a limit of 100')
) as c (args, expected, title);
select is(tests.refusal('list_my_hubs', args), 'VALIDATION_FAILED', title)
from (
  values
    ('{"limit": 101}'::jsonb, 'list_my_hubs refuses a limit of 101'),
    ('{"cursor": "?"}', 'list_my_hubs refuses a foreign cursor'),
    ('{"cursor": "3?"}', 'list_my_hubs refuses a foreign cursor that begins with a tier'),
    (
      jsonb_build_object('cursor', app.encode_cursor(app.now(), tests.id('elm'))),
      'list_my_hubs refuses the cursor of another list'
    ),
    (
      jsonb_build_object('cursor', '4' || app.encode_cursor(app.now(), tests.id('elm'))),
      'list_my_hubs refuses a cursor of a fourth tier'
    )
) as c (args, title);
reset role;
select tests.person('new', 4);
select tests.authenticate_as('new');
select is(api.list_my_hubs('{}'), '{"items": [], "nextCursor": null}', 'list_my_hubs is empty for a user without Hubs');

rollback to empty;

-- list_my_hubs lists invitations, then join requests, then memberships.
select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig', 'bay', 'cob']) as name;
select tests.membership(name, 'lena') from unnest(array['elm', 'ash', 'oak']) as name;
select tests.join_request(name, name, 'lena') from unnest(array['fir', 'yew', 'box']) as name;
select tests.invitation(name, name, 'amara', 'lena') from unnest(array['fig', 'bay', 'cob']) as name;
select tests.disable_index_scans();

create function pg_temp.in_order(variadic p_names text[])
returns uuid[]
language sql
return array(select id from unnest(tests.ids(variadic p_names)) as id order by id desc);

select tests.authenticate_as('lena');
select is(
  tests.item_ids(api.list_my_hubs('{}')),
  pg_temp.in_order('fig', 'bay', 'cob') || pg_temp.in_order('fir', 'yew', 'box') || pg_temp.in_order('elm', 'ash', 'oak'),
  'list_my_hubs sorts entries of the same time by id'
);
select is(
  tests.item_ids_across_pages('list_my_hubs', '{}'), tests.item_ids(api.list_my_hubs('{}')),
  'list_my_hubs continues between entries of the same time'
);
reset role;

-- The first of each tier is of next year, the last of last year.
create function pg_temp.at(p_id uuid)
returns timestamptz
language sql
return app.now() + interval '1 year' * case
  when p_id = any (tests.ids('oak', 'yew', 'bay')) then 1
  when p_id = any (tests.ids('elm', 'box', 'fig')) then -1
  else 0
end;

update app.hubs set last_activity_at = pg_temp.at(id);
update app.join_requests set created_at = pg_temp.at(id);
update app.hub_invitations set created_at = pg_temp.at(id);

select tests.authenticate_as('lena');
create temporary table answers as select api.list_my_hubs('{}') as page;
select is(
  tests.item_ids(page), tests.ids('bay', 'cob', 'fig', 'yew', 'fir', 'box', 'oak', 'ash', 'elm'),
  'list_my_hubs sorts invitations and join requests by time and memberships by last activity'
)
from answers;
select is(page ->> 'nextCursor', null, 'list_my_hubs returns no cursor on the last page') from answers;
select is(page #> '{items,0,invitationId}', to_jsonb(tests.id('bay')), 'list_my_hubs shows the invitation of a Hub')
from answers;
select is(
  page #> '{items,8}', (select app.hub_card(h, app.viewer_status(h.id)) from app.hubs as h where h.id = tests.id('elm')),
  'list_my_hubs shows each Hub as hub_card does'
)
from answers;
select is(
  tests.item_ids_across_pages('list_my_hubs', '{}'), tests.item_ids(page), 'list_my_hubs continues across all three tiers'
)
from answers;

rollback to empty;

-- my_hub_entries holds each Hub once, with the first status that applies.
select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig']) as name;
select tests.person('ben', 4);
select tests.membership('elm', 'lena', 'manager');
select tests.membership('ash', 'ben');
select tests.invitation('to elm', 'elm', 'amara', 'lena');
select tests.join_request('ash', 'ash', 'lena');
select tests.invitation('to ash', 'ash', 'amara', 'lena');
select tests.invitation('first', 'oak', 'amara', 'lena');
select tests.membership('oak', 'maya');
select tests.invitation('second', 'oak', 'maya', 'lena');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = tests.id('first');
select tests.join_request('fir', 'fir', 'lena', 'rejected');
select tests.invitation('to fir', 'fir', 'amara', 'lena');
select tests.join_request('yew', 'yew', 'ben');
select tests.invitation('to box', 'box', 'amara', 'lena', 'pending', app.now());
select tests.invitation('to fig', 'fig', 'amara', 'ben');
update app.hubs set last_activity_at = app.now() - interval '1 day' where id = tests.id('elm');
update app.join_requests set created_at = app.now() - interval '2 days' where id = tests.id('ash');

select tests.authenticate_as('lena');
select set_eq(
  'select tier, at, hub_id, standing from app.my_hub_entries',
  $$
    values
      (1, app.now() - interval '1 day', tests.id('elm'), ('member', 'manager', null, null)::app.membership_status),
      (
        2, app.now() - interval '2 days', tests.id('ash'),
        ('pending_admin_approval', null, null, tests.id('ash'))::app.membership_status
      ),
      (3, app.now(), tests.id('oak'), ('invited', null, tests.id('second'), null)::app.membership_status),
      (3, app.now(), tests.id('fir'), ('invited', null, tests.id('to fir'), null)::app.membership_status)
  $$,
  'my_hub_entries prefers a membership to a join request to an invitation'
);
select set_eq(
  'select hub_id, (standing).* from app.my_hub_entries',
  'select e.hub_id, s.* from app.my_hub_entries as e, app.viewer_status(e.hub_id) as s',
  'my_hub_entries and viewer_status agree on every Hub'
);

rollback to empty;

-- my_hub_entries shows the newest of several invitations.
select tests.elm();
select tests.hub('ash', 'amara');
select tests.membership('ash', 'jonas');
select tests.invitation('first to elm', 'elm', 'amara', 'lena');
select tests.invitation('newest to elm', 'elm', 'maya', 'lena');
select tests.invitation('newest to ash', 'ash', 'jonas', 'lena');
select tests.invitation('first to ash', 'ash', 'amara', 'lena');
update app.hub_invitations
set created_at = app.now() - interval '1 hour'
where id = any (tests.ids('first to elm', 'first to ash'));
-- Rows lie in the order of their last change: to elm the newest lies first, to ash the other one.
update app.hub_invitations set created_at = app.now() where id = tests.id('newest to ash');

select tests.authenticate_as('lena');
select set_eq(
  'select (standing).invitation_id, at from app.my_hub_entries',
  $$ values (tests.id('newest to elm'), app.now()), (tests.id('newest to ash'), app.now()) $$,
  'my_hub_entries shows the newest invitation in any physical order'
);

rollback to empty;

-- my_invitations holds the invitations of the caller's phone.
select tests.elm();
select tests.hub('oak', 'lena');
select tests.invitation('open', 'oak', 'lena', 'maya');
select tests.invitation('accepted', 'oak', 'lena', 'maya', 'accepted');
select tests.invitation('declined', 'oak', 'lena', 'maya', 'declined');
select tests.person('ann', 4);
select tests.membership('oak', 'ann');
select tests.invitation('expired', 'oak', 'ann', 'maya', 'pending', app.now());
select tests.invitation('of somebody', 'elm', 'maya', 'somebody');

select tests.authenticate_as('maya');
select bag_eq(
  'select invitation_id, hub_id, invited_at, state::text from app.my_invitations',
  $$
    values
      (tests.id('open'), tests.id('oak'), app.now(), 'pending'),
      (tests.id('accepted'), tests.id('oak'), app.now(), 'accepted'),
      (tests.id('declined'), tests.id('oak'), app.now(), 'declined'),
      (tests.id('expired'), tests.id('oak'), app.now(), 'expired')
  $$,
  'my_invitations holds invitations of the caller''s phone in every state, and no others'
);
reset role;
select tests.block('lena', 'maya');
select tests.authenticate_as('maya');
select results_eq(
  'select invitation_id from app.my_invitations', array[tests.id('expired')],
  'my_invitations hides invitations by the other side of a blocked pair'
);
reset role;
select tests.membership('oak', 'maya', 'manager');
select tests.authenticate_as('maya');
select results_eq(
  'select invitation_id from app.my_invitations', array[tests.id('expired')],
  'my_invitations hides a blocked pair''s invitations from a manager too'
);
reset role;
select tests.person('phoneless', 2);
select tests.authenticate_as('phoneless');
select is_empty('select from app.my_invitations', 'my_invitations is empty for a user without a phone');

rollback to empty;

-- record_hub_activity never moves the last activity backwards.
select tests.elm();
select tests.hub('ash', 'lena');
update app.hubs set last_activity_at = app.now() - interval '1 day';

select app.record_hub_activity(tests.id('elm'));
select results_eq(
  'select name, last_activity_at from app.hubs order by name',
  $$ values ('ash', app.now() - interval '1 day'), ('elm', app.now()) $$,
  'record_hub_activity sets the last activity of one Hub to now'
);
update app.hubs set last_activity_at = app.now() + interval '1 day';
select app.record_hub_activity(tests.id('elm'));
select results_eq(
  'select distinct last_activity_at from app.hubs', $$ values (app.now() + interval '1 day') $$,
  'record_hub_activity keeps a later last activity'
);

rollback to empty;

-- presence_slot returns the start of a slot of five minutes.
select is(app.presence_slot('2026-01-01 12:05+00'), '2026-01-01 12:05+00', 'a presence slot begins with its first moment');
select is(app.presence_slot('2026-01-01 12:09:59.999999+00'), '2026-01-01 12:05+00', 'a presence slot ends before the next one');

rollback to empty;

-- put_hub_photo requires an admin of the Hub and their own photo.
select tests.elm();
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'manager');
select tests.hub('oak', 'lena');
select tests.asset('of ' || name, name, 'hub_photo') from unnest(array['amara', 'maya', 'ann', 'jonas', 'lena']) as name;
select tests.asset('face', 'amara', 'profile_photo');

create function pg_temp.refusal(p_caller text, p_photo text)
returns text
language sql
as $$ select tests.refusal_as(p_caller, format('select app.put_hub_photo(tests.id(%L), tests.id(%L))', 'elm', p_photo)) $$;

create function pg_temp.photo()
returns uuid
language sql
as $$ select h.photo_asset_id from app.hubs as h where h.name = 'elm' $$;

select is(pg_temp.refusal('amara', 'of amara'), null, 'an admin can give the Hub a photo');
select is(pg_temp.photo(), tests.id('of amara'), 'put_hub_photo stores the photo of the Hub');
select results_eq(
  'select name from app.hubs where photo_asset_id is not null', array['elm'], 'put_hub_photo changes the photo of one Hub'
);
select is(pg_temp.refusal(caller, photo), expected, title)
from (
  values
    ('maya', 'of amara', null, 'an admin can keep the photo of another admin'),
    ('amara', 'face', 'PT422 VALIDATION_FAILED', 'put_hub_photo refuses a photo that was uploaded for another purpose'),
    ('amara', 'of maya', 'PT422 VALIDATION_FAILED', 'put_hub_photo refuses a photo of another user'),
    ('ann', 'of ann', 'PT403 FORBIDDEN', 'a manager cannot give the Hub a photo'),
    ('jonas', 'of jonas', 'PT403 FORBIDDEN', 'a member cannot give the Hub a photo'),
    ('lena', 'of lena', 'PT403 FORBIDDEN', 'an admin of another Hub cannot give the Hub a photo')
) as c (caller, photo, expected, title);
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.put_hub_photo(tests.id('elm'), tests.id('unknown')) $$) #> '{details,issues,0,path}',
  '["profileAssetId"]',
  'put_hub_photo names profileAssetId in the error of a refused photo'
);
reset role;
select is(pg_temp.photo(), tests.id('of amara'), 'a refused put_hub_photo keeps the photo');
select is(pg_temp.refusal('maya', null), null, 'an admin can remove the photo of another admin');
select is(pg_temp.photo(), null, 'put_hub_photo removes the photo for null');

rollback to empty;

-- viewer_status returns the first status that applies to the caller.
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');

create function pg_temp.status(p_caller text default 'lena')
returns app.membership_status
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', coalesce(tests.claims(p_caller)::text, ''), true);
  perform set_config('role', case when p_caller is null then 'anon' else 'authenticated' end, true);
  return app.viewer_status(tests.id('elm'));
end
$$;

select is(pg_temp.status(caller), expected, title)
from (
  values
    ('lena', ('none', null, null, null)::app.membership_status, 'viewer_status returns none to a non-member'),
    (null, ('none', null, null, null)::app.membership_status, 'viewer_status returns none to a guest'),
    ('maya', ('member', 'manager', null, null)::app.membership_status, 'viewer_status returns member and role to a member')
) as c (caller, expected, title);
reset role;
select tests.invitation('older', 'elm', 'jonas', 'lena');
update app.hub_invitations set created_at = created_at - interval '2 minutes';
select tests.invitation('newest', 'elm', 'maya', 'lena');
update app.hub_invitations set created_at = created_at - interval '1 minute';
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select is(
  pg_temp.status(), row('invited', null, tests.id('newest'), null)::app.membership_status,
  'viewer_status returns the newest invitation of the Hub to an invited user'
);
reset role;
select tests.join_request('to oak', 'oak', 'lena');
select tests.join_request('rejected', 'elm', 'lena', 'rejected');
select is((pg_temp.status()).status, 'invited', 'viewer_status ignores join requests that are rejected or for other Hubs');
reset role;
select tests.join_request('open', 'elm', 'lena');
select is(
  pg_temp.status(), row('pending_admin_approval', null, null, tests.id('open'))::app.membership_status,
  'viewer_status prefers an open join request to an invitation'
);
select is((pg_temp.status('maya')).status, 'member', 'viewer_status ignores the join requests of other users');
reset role;
select tests.invitation('of ann', 'elm', 'amara', 'ann');
select is((pg_temp.status('ann')).invitation_id, tests.id('of ann'), 'viewer_status ignores the invitations of other users');
reset role;
select is(
  (app.viewer_status(tests.id('elm'))).status, 'invited', 'viewer_status ignores rows of other users where no policy hides them'
);

rollback to empty;

-- state_of lets a pending invitation expire by time.
select is(app.state_of(state::app.invitation_state, app.now() + shift::interval), expected::app.invitation_state, title)
from (
  values
    ('pending', '0', 'expired', 'a pending invitation is expired once its time is over'),
    ('pending', '1 microsecond', 'pending', 'a pending invitation is pending before its time is over'),
    ('accepted', '-1 day', 'accepted', 'an accepted invitation stays accepted after its time'),
    ('declined', '-1 day', 'declined', 'a declined invitation stays declined after its time'),
    ('expired', '-1 day', 'expired', 'an expired invitation stays expired after its time')
) as c (state, shift, expected, title);

rollback to empty;

-- update_hub and change_hub_link change a Hub of an admin.
select tests.elm();
select tests.asset(name, 'amara', 'hub_photo') from unnest(array['first', 'second']) as name;
select tests.hub('ash', 'amara');

create function pg_temp.change(p_args jsonb)
returns jsonb
language sql
as $$
  select jsonb_build_array(hub -> 'name', hub -> 'description', right(hub ->> 'profilePhotoUrl', 36))
  from api.update_hub(tests.hub_args('elm', p_args)) as hub
$$;

select is(tests.refusals(operation, tests.hub_args(hub, args)), expected, title)
from (
  values
    (
      'update_hub', 'elm', '{"name": "Oak"}'::jsonb, tests.refusals_below_admin('FORBIDDEN', 'FORBIDDEN'),
      'update_hub lets only an admin change the name'
    ),
    (
      'update_hub', 'elm', '{"profileAssetId": null}', tests.refusals_below_admin('FORBIDDEN', 'FORBIDDEN'),
      'update_hub lets only an admin change the photo'
    ),
    (
      'change_hub_link', 'elm', '{"customLink": "oak"}', tests.refusals_below_admin('FORBIDDEN', 'FORBIDDEN'),
      'change_hub_link lets only an admin change the custom link'
    ),
    (
      'update_hub', 'unknown', '{"name": "Oak"}', tests.refusals_of_all('HUB_NOT_FOUND'),
      'update_hub raises HUB_NOT_FOUND for an unknown Hub'
    ),
    (
      'change_hub_link', 'unknown', '{"customLink": "oak"}', tests.refusals_of_all('HUB_NOT_FOUND'),
      'change_hub_link raises HUB_NOT_FOUND for an unknown Hub'
    )
) as c (operation, hub, args, expected, title);
select tests.authenticate_as('amara');
select is(pg_temp.change(args), expected, title)
from (
  values
    (
      '{"name": "Elms", "description": "Trees"}'::jsonb, '["Elms", "Trees", null]'::jsonb,
      'update_hub changes name and description'
    ),
    (
      jsonb_build_object('profileAssetId', tests.id('first')), jsonb_build_array('Elms', 'Trees', tests.id('first')),
      'update_hub changes the photo alone'
    ),
    ('{"description": null}', jsonb_build_array('Elms', '', tests.id('first')), 'update_hub clears the description for null'),
    ('{"name": "Elm"}', jsonb_build_array('Elm', '', tests.id('first')), 'update_hub keeps what is not given'),
    ('{"profileAssetId": null}', '["Elm", "", null]', 'update_hub clears the photo for null')
) as c (args, expected, title);
select is(
  api.update_hub(tests.hub_args('elm', '{"name": "Elm"}')), app.hub_json(tests.id('elm')), 'update_hub returns the changed Hub'
);
select is(name, 'ash', 'update_hub changes no other Hub') from app.hubs where id = tests.id('ash');

create temporary table answers as select api.change_hub_link(tests.hub_args('elm', '{"customLink": "elm-1"}')) as hub;
select is(hub ->> 'customLink', 'elm-1', 'change_hub_link changes the custom link') from answers;
select is(hub, app.hub_json(tests.id('elm')), 'change_hub_link returns the changed Hub') from answers;
select results_eq(
  'select id from app.hubs where custom_link is not null', tests.ids('elm'), 'change_hub_link changes no other Hub'
);
select is(
  tests.violation_of($$ select api.change_hub_link(tests.hub_args('ash', '{"customLink": "elm-1"}')) $$), 'hubs_custom_link_key',
  'change_hub_link refuses the custom link of another Hub'
);

select * from finish();
rollback;
