begin;
select plan(75);
savepoint empty;

-- active_users counts the members seen within 24 hours, in slots of five minutes (docs/product.md H5).
select tests.elm();
select tests.hub('ash', 'maya');
insert into app.hub_presence (hub_id, seen_in, member_count)
select tests.id(hub), app.now() + shift::interval, count
from (
  values
    ('elm', '1 minute', 1), ('elm', '-24 hours -4 minutes -59 seconds', 10), ('elm', '-24 hours -5 minutes', 100),
    ('ash', '0', 1000)
) as seen (hub, shift, count);
select tests.authenticate_as('jonas');
select is(
  app.active_users(tests.id('elm')), 11::bigint, 'active_users sums the slots of the last 24 hours and five minutes'
);
select is(app.active_users(tests.id('ash')), 0::bigint, 'active_users returns zero to a non-member');
reset role;
delete from app.hub_presence where hub_id = tests.id('elm');
select tests.authenticate_as('jonas');
select is(app.active_users(tests.id('elm')), 0::bigint, 'active_users returns zero for a Hub without presence');

rollback to empty;

-- create_hub makes the caller the admin and only member of a Hub (docs/product.md H9).
select tests.elm();
select tests.person('nina', 3);
select tests.asset('photo', 'lena', 'hub_photo'), tests.asset('other photo', 'amara', 'hub_photo');
select tests.asset('face', 'lena', 'profile_photo');

create function pg_temp.with_photo(p_name text)
returns jsonb
language sql
return jsonb_build_object('name', 'Ash', 'profileAssetId', tests.id(p_name));

select is(
  tests.refusal_as('nina', $$ select app.insert_hub('Oak', null, null, null) $$), 'PT403 FORBIDDEN',
  'insert_hub by itself refuses a user below level 4'
);
select tests.authenticate_as('lena');
select is(
  api.create_hub(
    '{"name": "Ash", "description": "Trees", "customLink": "ash-1"}' || pg_temp.with_photo('photo')
  ) - 'id',
  jsonb_build_object(
    'name', 'Ash', 'description', 'Trees', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'),
    'memberCount', 1, 'viewerStatus', 'member', 'viewerRole', 'admin', 'customLink', 'ash-1', 'activeUsers24h', 1
  ),
  'create_hub returns the Hub with the caller as its admin and only member'
);
select is(
  api.create_hub('{"name": "Bay"}') - 'id' - 'memberCount' - 'viewerStatus' - 'viewerRole' - 'activeUsers24h',
  '{"name": "Bay", "description": "", "profilePhotoUrl": null, "customLink": null}', 'create_hub requires only a name'
);
select is(
  tests.violation_of($$ select api.create_hub('{"name": "Cob", "customLink": "ash-1"}') $$), 'hubs_custom_link_key',
  'create_hub refuses the custom link of another Hub'
);
select is(
  tests.error_of(format('select api.create_hub(%L)', pg_temp.with_photo(photo))) #> '{details,issues,0,path}',
  '["profileAssetId"]', title
)
from (
  values
    ('other photo', 'create_hub refuses a photo of another user'),
    ('face', 'create_hub refuses a photo that was uploaded for another purpose')
) as c (photo, title);
reset role;
select is_empty('select from app.events', 'create_hub notifies nobody');

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
select app.fold_presence() from generate_series(1, 2);
select bag_eq(
  'select pg_temp.presence()', array['elm 12:05: 2', 'oak 12:05: 1'],
  'fold_presence adds new rows to a folded one, and only once'
);
select is(
  tests.violation_of($$
    insert into app.hub_presence (hub_id, seen_in, member_count, is_folded) select hub_id, seen_in, 1, true
    from app.hub_presence
  $$),
  'hub_presence_folded_key', 'a slot of a Hub cannot have two folded rows'
);

rollback to empty;

-- get_hub returns the whole Hub to members and a preview to everybody else (docs/product.md H2, H3).
select tests.elm();
select tests.person('anonymous', 1);
select tests.hub('ash', 'lena');
select tests.close_hub('ash');
update app.hubs set custom_link = 'elm-street' where id = tests.id('elm');
update app.memberships
set seen_at = app.now() - interval '1 hour'
where user_id in (tests.id('amara'), tests.id('maya'));

select tests.authenticate_as('lena');
select set_config(
  'request.jwt.claims', (tests.claims('lena') || jsonb_build_object('session_id', tests.id('ended session')))::text,
  true
);
select is(
  tests.refusal('get_hub', tests.hub_args('elm')), 'UNAUTHORIZED',
  'get_hub refuses a non-member whose session has ended'
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
select is(
  api.get_hub(tests.hub_args('elm')),
  (select app.hub_preview(h, ('member', 'member', null, null)) from app.hubs as h)
    || '{"customLink": "elm-street", "activeUsers24h": 3}',
  'get_hub returns the custom link and the active users too to a member, who counts as active'
);

rollback to empty;

-- get_hub_settings and update_hub_settings: each member mutes a Hub for themselves.
select tests.elm();
select tests.hub('ash', 'jonas');

create function pg_temp.is_muted(p_caller text, p_hub text default 'elm')
returns text
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return api.get_hub_settings(tests.hub_args(p_hub)) ->> 'contentMuted';
end
$$;

create function pg_temp.mute(p_is_muted boolean)
returns jsonb
language sql
return api.update_hub_settings(tests.hub_args('elm', jsonb_build_object('contentMuted', p_is_muted)));

select is(pg_temp.is_muted('jonas'), 'false', 'a Hub is not muted by default');
select is(pg_temp.mute(true), '{"contentMuted": true}', 'update_hub_settings returns that the Hub is muted');
select is(
  array[pg_temp.is_muted('jonas'), pg_temp.is_muted('jonas', 'ash'), pg_temp.is_muted('amara')],
  array['true', 'false', 'false'],
  'update_hub_settings mutes one Hub for one member only'
);
select tests.authenticate_as('jonas');
select is(pg_temp.mute(false), '{"contentMuted": false}', 'update_hub_settings returns that the Hub is not muted');
select is(pg_temp.is_muted('jonas'), 'false', 'update_hub_settings ends a mute of the Hub');

rollback to empty;

-- hub_preview shows what everybody may see, and what is open between Hub and viewer (docs/product.md H3).
select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
update app.hubs set name = 'Elm', description = 'Trees', photo_asset_id = tests.id('photo'), custom_link = 'elm-street';

select tests.authenticate_as_guest();
select is(
  app.hub_preview(h, (status, role, tests.id(invitation), tests.id(request))::app.membership_status),
  jsonb_build_object(
    'id', h.id, 'name', 'Elm', 'description', 'Trees',
    'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'),
    'memberCount', 3, 'viewerStatus', status, 'viewerRole', role
  )
  || jsonb_strip_nulls(jsonb_build_object('invitationId', tests.id(invitation), 'joinRequestId', tests.id(request))),
  title
)
from app.hubs as h
cross join (
  values
    ('none', null::app.hub_role, null, null, 'hub_preview shows a guest seven fields'),
    ('invited', null, 'invitation', null, 'hub_preview shows an invited user the invitation''s id'),
    ('pending_admin_approval', null, null, 'request', 'hub_preview shows an applicant the join request''s id'),
    ('member', 'manager', null, null, 'hub_preview shows a member their role')
) as c (status, role, invitation, request, title);

rollback to empty;

-- list_my_hubs: levels, limits and cursors (docs/product.md H24).
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.hub('oak', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');
select tests.authenticate_as('lena');
select is(
  tests.item_ids(api.list_my_hubs('{}')), tests.ids('elm'), 'list_my_hubs below level 4 lists invitations only'
);
reset role;
update app.users set phone = null, phone_verified_at = null where id = tests.id('lena');
select tests.authenticate_as('lena');
select is(
  api.list_my_hubs('{}'), '{"items": [], "nextCursor": null}', 'list_my_hubs without a verified phone is empty'
);
reset role;
delete from app.hubs where id = tests.id('oak');
select tests.hub('hub ' || n, 'jonas') from generate_series(1, 30) as n;
select tests.authenticate_as('jonas');
select is(
  array[
    cardinality(tests.item_ids(api.list_my_hubs('{}'))), cardinality(tests.item_ids(api.list_my_hubs('{"limit": 100}')))
  ],
  array[30, 31], 'list_my_hubs returns 30 Hubs by default, and all at a limit of 100'
);
select is(tests.refusal('list_my_hubs', jsonb_build_object('cursor', cursor)), 'VALIDATION_FAILED', title)
from (
  values
    ('?', 'list_my_hubs refuses a malformed cursor'),
    (
      app.encode_cursor(app.list_of('list_blocks', '{}'), app.now(), tests.id('elm')),
      'list_my_hubs refuses the cursor of another list'
    )
) as c (cursor, title);

rollback to empty;

-- list_my_hubs lists invitations, then join requests, then memberships (docs/product.md H24).
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
  tests.item_ids_across_pages('list_my_hubs', '{}'),
  pg_temp.in_order('fig', 'bay', 'cob') || pg_temp.in_order('fir', 'yew', 'box')
    || pg_temp.in_order('elm', 'ash', 'oak'),
  'list_my_hubs pages through entries of the same time by id'
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
select is(
  array[page #> '{items,0}', page #> '{items,8}'],
  array(
    select app.hub_card(h, app.viewer_status(h.id)) from app.hubs as h where h.name in ('bay', 'elm') order by h.name
  ),
  'list_my_hubs shows each Hub as hub_card does'
)
from answers;
select is(
  tests.item_ids_across_pages('list_my_hubs', '{}'), tests.item_ids(page),
  'list_my_hubs continues across all three tiers'
)
from answers;

rollback to empty;

-- my_hub_entries holds each Hub once, with the first status that applies.
select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig', 'bay']) as name;
select tests.person('ben', 4);
select tests.membership('elm', 'lena', 'manager'), tests.membership('ash', 'ben');
select tests.membership(hub, 'maya') from unnest(array['oak', 'bay']) as hub;
select tests.invitation('to ' || hub, hub, 'amara', 'lena') from unnest(
  array['elm', 'ash', 'oak', 'fir', 'bay']
) as hub;
select tests.invitation('maya''s to ' || hub, hub, 'maya', 'lena') from unnest(array['oak', 'bay']) as hub;
select tests.join_request('ash', 'ash', 'lena'), tests.join_request('yew', 'yew', 'ben');
select tests.join_request('fir', 'fir', 'lena', 'rejected');
select tests.invitation('to box', 'box', 'amara', 'lena', 'pending', app.now()),
  tests.invitation('to fig', 'fig', 'amara', 'ben');
update app.hubs set last_activity_at = app.now() - interval '1 day' where id = tests.id('elm');
update app.join_requests set created_at = app.now() - interval '2 days' where id = tests.id('ash');
-- Rows lie in the order of their last change: to oak the newest lies first, to bay it lies last.
update app.hub_invitations
set created_at = app.now() - interval '1 hour'
where id = any (tests.ids('to oak', 'maya''s to bay'));
update app.hub_invitations set created_at = app.now() where id = tests.id('to bay');

select tests.authenticate_as('lena');
select set_eq(
  'select tier, at, hub_id, status from app.my_hub_entries',
  $$
    select
      tier, app.now() - age::interval, tests.id(hub),
      (status, role, tests.id(invitation), tests.id(request))::app.membership_status
    from (
      values
        (1, '1 day', 'elm', 'member', 'manager'::app.hub_role, null, null),
        (2, '2 days', 'ash', 'pending_admin_approval', null, null, 'ash'),
        (3, '0', 'oak', 'invited', null, 'maya''s to oak', null),
        (3, '0', 'bay', 'invited', null, 'to bay', null), (3, '0', 'fir', 'invited', null, 'to fir', null)
    ) as c (tier, age, hub, status, role, invitation, request)
  $$,
  'my_hub_entries prefers a membership to a join request to the newest invitation'
);
select set_eq(
  'select hub_id, (status).* from app.my_hub_entries',
  'select e.hub_id, s.* from app.my_hub_entries as e, app.viewer_status(e.hub_id) as s',
  'my_hub_entries and viewer_status agree on every Hub'
);

rollback to empty;

-- my_invitations holds the invitations of the caller's phone.
select tests.elm();
select tests.person('ann', 4), tests.person('phoneless', 2);
select tests.hub('oak', 'lena'), tests.membership('oak', 'ann');
select tests.invitation(state::text, 'oak', 'lena', 'maya', state)
from unnest(array['pending', 'accepted', 'declined']::app.invitation_state[]) as state;
select tests.invitation('expired', 'oak', 'ann', 'maya', 'pending', app.now());
select tests.invitation('of somebody', 'elm', 'maya', 'somebody');

create function pg_temp.invitations_of(p_caller text)
returns setof text
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return query
  select i.state::text from app.my_invitations as i
  where i.invitation_id = tests.id(i.state::text) and i.hub_id = tests.id('oak') and i.invited_at = app.now();
  return query select 'other' from app.my_invitations as i where i.invitation_id <> tests.id(i.state::text);
  perform set_config('role', 'none', true);
end
$$;

-- docs/product.md H6, H24
select bag_eq(
  $$ select pg_temp.invitations_of('maya') $$, array['pending', 'accepted', 'declined', 'expired'],
  'my_invitations holds invitations of the caller''s phone in every state, and no others'
);
select tests.block('lena', 'maya');
select bag_eq(
  $$ select pg_temp.invitations_of('maya') $$, array['expired'],
  'my_invitations hides invitations by the other side of a blocked pair'
);
select tests.membership('oak', 'maya', 'manager');
select bag_eq(
  $$ select pg_temp.invitations_of('maya') $$, array['expired'],
  'my_invitations hides a blocked pair''s invitations from a manager too'
);
select is_empty($$ select pg_temp.invitations_of('phoneless') $$, 'my_invitations is empty for a user without a phone');

rollback to empty;

-- record_hub_activity never moves the last activity backwards.
select tests.elm();
select tests.hub('ash', 'lena');

create function pg_temp.activity_after(p_before interval)
returns text[]
language sql
as $$
  update app.hubs set last_activity_at = app.now() + p_before;
  select app.record_hub_activity(tests.id('elm'));
  select array_agg(format('%s: %s', name, last_activity_at - app.now()) order by name) from app.hubs
$$;

select is(
  pg_temp.activity_after('-1 day'), '{ash: -1 days,elm: 00:00:00}',
  'record_hub_activity sets the last activity of one Hub to now'
);
select is(
  pg_temp.activity_after('1 day'), '{ash: 1 day,elm: 1 day}', 'record_hub_activity keeps a later last activity'
);

rollback to empty;

-- presence_slot and state_of depend on time alone.
select is(
  app.presence_slot(at::timestamptz), '2026-01-01 12:05+00', format('the presence slot of %s begins at 12:05', at)
)
from unnest(array['2026-01-01 12:05+00', '2026-01-01 12:09:59.999999+00']) as at;
select is(
  app.state_of(state::app.invitation_state, app.now() + shift::interval), expected::app.invitation_state,
  format('a stored invitation in state %s is %s %s after its end', state, expected, shift)
)
from (
  values
    ('pending', '0', 'expired'), ('pending', '1 microsecond', 'pending'), ('accepted', '-1 day', 'accepted'),
    ('declined', '-1 day', 'declined'), ('expired', '-1 day', 'expired')
) as c (state, shift, expected);

rollback to empty;

-- set_hub_photo requires an admin of the Hub and their own photo.
select tests.elm();
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.person('ann', 4), tests.membership('elm', 'ann', 'manager');
select tests.hub('oak', 'lena');
select tests.asset('of ' || name, name, 'hub_photo') from unnest(
  array['amara', 'maya', 'ann', 'jonas', 'lena']
) as name;
select tests.asset('face', 'amara', 'profile_photo');

create function pg_temp.refusal_and_photos(p_caller text, p_photo text)
returns text[]
language plpgsql
as $$
declare
  v_refusal text := tests.refusal_as(
    p_caller, format('select app.set_hub_photo(tests.id(%L), tests.id(%L))', 'elm', p_photo)
  );
begin
  return v_refusal || array(
    select h.name || ' ' || photo
    from app.hubs as h
    join unnest(array['of amara', 'of maya']) as photo on tests.id(photo) = h.photo_asset_id
  );
end
$$;

select is(pg_temp.refusal_and_photos(caller, photo), expected, title)
from (
  values
    ('amara', 'of amara', array[null, 'elm of amara'], 'an admin can give the Hub, and no other, a photo'),
    ('maya', 'of amara', array[null, 'elm of amara'], 'an admin can keep the photo of another admin'),
    (
      'amara', 'face', array['PT422 VALIDATION_FAILED', 'elm of amara'],
      'set_hub_photo refuses a photo that was uploaded for another purpose'
    ),
    (
      'amara', 'of maya', array['PT422 VALIDATION_FAILED', 'elm of amara'],
      'set_hub_photo refuses a photo of another user'
    ),
    ('ann', 'of ann', array['PT403 FORBIDDEN', 'elm of amara'], 'a manager cannot give the Hub a photo'),
    ('jonas', 'of jonas', array['PT403 FORBIDDEN', 'elm of amara'], 'a member cannot give the Hub a photo'),
    (
      'lena', 'of lena', array['PT403 FORBIDDEN', 'elm of amara'], 'an admin of another Hub cannot give the Hub a photo'
    ),
    ('maya', null, array[null]::text[], 'an admin can remove the photo of another admin')
) as c (caller, photo, expected, title);
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.set_hub_photo(tests.id('elm'), tests.id('unknown')) $$) #> '{details,issues,0,path}',
  '["profileAssetId"]', 'set_hub_photo names profileAssetId in the error of a refused photo'
);

rollback to empty;

-- viewer_status returns the first status that applies to the caller (docs/product.md H4).
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');

create function pg_temp.status(p_caller text default 'lena')
returns text
language plpgsql
as $$
declare
  v_status app.membership_status;
begin
  perform set_config('request.jwt.claims', coalesce(tests.claims(p_caller)::text, ''), true);
  perform set_config('role', case when p_caller is null then 'anon' else 'authenticated' end, true);
  v_status := app.viewer_status(tests.id('elm'));
  perform set_config('role', 'none', true);
  return concat_ws(' ', v_status.status, v_status.role, (
    select name from unnest(array['older', 'newest', 'of ann', 'open']) as name
    where tests.id(name) = coalesce(v_status.invitation_id, v_status.join_request_id)
  ));
end
$$;

select is(
  array[pg_temp.status('lena'), pg_temp.status(null), pg_temp.status('maya')], array['none', 'none', 'member manager'],
  'viewer_status returns none to a non-member and a guest, and the role to a member'
);
select tests.invitation('older', 'elm', 'jonas', 'lena'), tests.invitation('newest', 'elm', 'maya', 'lena');
select tests.invitation('to oak', 'oak', 'ann', 'lena');
update app.hub_invitations set created_at = created_at - interval '1 minute' where id = tests.id('newest');
update app.hub_invitations set created_at = created_at - interval '2 minutes' where id = tests.id('older');
select tests.join_request('to oak', 'oak', 'lena'), tests.join_request('rejected', 'elm', 'lena', 'rejected');
select is(
  pg_temp.status(), 'invited newest',
  'viewer_status returns the newest invitation of this Hub, whatever there is to other Hubs or was rejected'
);
select tests.join_request('open', 'elm', 'lena'), tests.invitation('of ann', 'elm', 'amara', 'ann');
select is(
  array[pg_temp.status(), pg_temp.status('maya'), pg_temp.status('ann')],
  array['pending_admin_approval open', 'member manager', 'invited of ann'],
  'viewer_status prefers an open join request to an invitation, and ignores those of other users'
);
select set_config('request.jwt.claims', tests.claims('ann')::text, true);
select is(
  (app.viewer_status(tests.id('elm'))).status, 'invited',
  'viewer_status ignores rows of other users where no policy hides them'
);

rollback to empty;

-- update_hub and change_hub_link change a Hub of an admin.
select tests.elm();
select tests.asset('first', 'amara', 'hub_photo');
select tests.hub('ash', 'amara');

create function pg_temp.change(p_args jsonb)
returns jsonb
language sql
as $$
  select jsonb_build_array(hub -> 'name', hub -> 'description', right(hub ->> 'profilePhotoUrl', 36))
  from api.update_hub(tests.hub_args('elm', p_args)) as hub
$$;

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
    (
      '{"description": null}', jsonb_build_array('Elms', '', tests.id('first')),
      'update_hub clears the description for null'
    ),
    ('{"name": "Elm"}', jsonb_build_array('Elm', '', tests.id('first')), 'update_hub keeps what is not given'),
    ('{"profileAssetId": null}', '["Elm", "", null]', 'update_hub clears the photo for null')
) as c (args, expected, title);
select is(
  api.update_hub(tests.hub_args('elm', '{"name": "Elm"}')), app.hub_json(tests.id('elm')), 'update_hub returns the Hub'
);
select is(
  api.change_hub_link(tests.hub_args('elm', '{"customLink": "elm-1"}')),
  app.hub_json(tests.id('elm')) || '{"customLink": "elm-1"}',
  'change_hub_link returns the Hub'
);
select bag_eq(
  'select name, custom_link collate "default" from app.hubs', $$ values ('Elm', 'elm-1'), ('ash', null) $$,
  'update_hub and change_hub_link change no other Hub'
);
select is(
  tests.violation_of($$ select api.change_hub_link(tests.hub_args('ash', '{"customLink": "elm-1"}')) $$),
  'hubs_custom_link_key',
  'change_hub_link refuses the custom link of another Hub'
);

select * from finish();
rollback;
