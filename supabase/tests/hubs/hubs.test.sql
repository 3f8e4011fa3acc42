begin;
select plan(131);
savepoint empty;

-- active_users: counts a day
select tests.elm();
select tests.hub('ash', 'maya');
insert into app.hub_presence (hub_id, seen_in, member_count)
values
  (tests.id('elm'), app.now() + interval '1 minute', 1),
  (tests.id('elm'), app.now() - interval '24 hours 4 minutes 59 seconds', 10),
  (tests.id('elm'), app.now() - interval '24 hours 5 minutes', 100),
  (tests.id('ash'), app.now(), 1000);

select tests.authenticate_as('jonas');
select is(app.active_users(tests.id('elm')), 11::bigint, 'whoever was seen in the last 24 hours, to five minutes');
select is(app.active_users(tests.id('ash')), 0::bigint, 'of another Hub nobody is told');
reset role;
delete from app.hub_presence where hub_id = tests.id('elm');
select tests.authenticate_as('jonas');
select is(app.active_users(tests.id('elm')), 0::bigint, 'it may be nobody');

rollback to empty;

-- change_hub_link: gives another one
select tests.elm();
select tests.hub('ash', 'amara');
select tests.authenticate_as('amara');
create temporary table answers as select api.change_hub_link(tests.in_hub('elm', '{"customLink": "elm-1"}')) as hub;
select is(hub ->> 'customLink', 'elm-1', 'of letters, digits and dashes') from answers;
select is(hub, app.hub_json(tests.id('elm')), 'it answers the Hub') from answers;
select results_eq('select id from app.hubs where custom_link is not null', tests.ids('elm'), 'no other has one by that');
select is(
  tests.violation_of($$ select api.change_hub_link(tests.in_hub('ash', '{"customLink": "elm-1"}')) $$), 'hubs_custom_link_key', 'nor could have'
);

rollback to empty;

-- create_hub: founds one
select tests.elm();
select tests.asset('photo', 'lena', 'hub_photo');
select tests.asset('other photo', 'amara', 'hub_photo');
select tests.asset('face', 'lena', 'profile_photo');

create function pg_temp.asset(p_name text)
returns jsonb
language sql
return jsonb_build_object('name', 'Ash', 'profileAssetId', tests.id(p_name));

select tests.authenticate_as('lena');
select is(
  api.create_hub('{"name": "Ash", "description": "Trees", "customLink": "ash-1"}' || pg_temp.asset('photo')) - 'id',
  jsonb_build_object(
    'name', 'Ash', 'description', 'Trees', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'), 'memberCount', 1,
    'viewerStatus', 'member', 'viewerRole', 'admin', 'customLink', 'ash-1', 'activeUsers24h', 1
  ),
  'whose admin the caller is'
);
select is(
  api.create_hub('{"name": "Bay"}') - 'id' - 'memberCount' - 'viewerStatus' - 'viewerRole' - 'activeUsers24h',
  '{"name": "Bay", "description": "", "profilePhotoUrl": null, "customLink": null}', 'of which a name is enough'
);
select is(
  tests.violation_of($$ select api.create_hub('{"name": "Cob", "customLink": "ash-1"}') $$), 'hubs_custom_link_key', 'no link is of two'
);
select is(tests.refusal('create_hub', pg_temp.asset('other photo')), 'VALIDATION_FAILED', 'the photo is one''s own');
select is(tests.refusal('create_hub', pg_temp.asset('face')), 'VALIDATION_FAILED', 'and a Hub''s');
reset role;
select is(tests.refusals('create_hub', '{"name": "Fir"}'), tests.below_level_4(), 'the Hub-ready found Hubs');

rollback to empty;

-- fold_presence: makes one row of many
select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.see(p_time text)
returns void
language sql
as $$ update app.memberships as m set seen_at = ('2026-01-01 ' || p_time || '+00')::timestamptz $$;

create function pg_temp.seen()
returns setof text
language sql
as $$
  select format('%s %s: %s%s', h.name, to_char(p.seen_in at time zone 'UTC', 'HH24:MI'), p.member_count, case when not p.is_folded then ' not folded' end)
  from app.hub_presence as p
  join app.hubs as h on h.id = p.hub_id
$$;

select pg_temp.see('12:01'), pg_temp.see('12:06');
select bag_eq(
  'select pg_temp.seen()',
  array[
    'elm 12:00: 3 not folded', 'elm 12:00: -3 not folded', 'elm 12:05: 3 not folded',
    'oak 12:00: 1 not folded', 'oak 12:00: -1 not folded', 'oak 12:05: 1 not folded'
  ],
  'rows are only added'
);
select app.fold_presence();
select bag_eq('select pg_temp.seen()', array['elm 12:05: 3', 'oak 12:05: 1'], 'until one is made of them, where there is anybody');
delete from app.memberships where user_id = tests.id('jonas');
select app.fold_presence();
select bag_eq('select pg_temp.seen()', array['elm 12:05: 2', 'oak 12:05: 1'], 'what comes later is added to it');
select app.fold_presence();
select bag_eq('select pg_temp.seen()', array['elm 12:05: 2', 'oak 12:05: 1'], 'nothing counts twice');
select is(
  tests.violation_of('insert into app.hub_presence (hub_id, seen_in, member_count, is_folded) select hub_id, seen_in, 1, true from app.hub_presence'),
  'hub_presence_folded_key', 'and there is one'
);
select set_eq($$ select tests.who_may('select app.fold_presence()') $$, array['opine_worker'], 'the worker does this');

rollback to empty;

-- insert_hub: makes its admin
select tests.person('amara', 4);
select tests.asset('leaves', 'amara', 'hub_photo');
select tests.authenticate_as('amara');
create temporary table founded as select app.insert_hub('Elm', 'A street', 'elm', tests.id('leaves')) as id;
reset role;
select results_eq(
  'select id, name, description, custom_link collate "default", photo_asset_id, member_count from app.hubs',
  $$ select id, 'Elm', 'A street', 'elm', tests.id('leaves'), 1 from founded $$, 'a Hub is as its founder says'
);
select results_eq(
  'select hub_id, user_id, role from app.memberships',
  $$ select id, tests.id('amara'), 'admin'::app.hub_role from founded $$, 'who is its admin and only member'
);
select is_empty('select from app.events', 'of which nobody is told');
select is(tests.refusal_of('amara', $$ select app.insert_hub('Oak', null, null, null) $$), null, 'a name is enough');
select results_eq(
  $$ select description, custom_link collate "default", photo_asset_id from app.hubs where name = 'Oak' $$,
  $$ values ('', null, null::uuid) $$, 'the rest may come later'
);

rollback to empty;

-- insert_hub: refuses what is not theirs
select tests.person('amara', 4);
select tests.person('maya', 4);
select tests.person('jonas', 3);
select tests.asset('leaves', 'maya', 'hub_photo');
select tests.asset('face', 'amara', 'profile_photo');

create function pg_temp.refusal_of(p_caller text, p_link text, p_photo text)
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.insert_hub(%L, null, %L, tests.id(%L))', 'Elm', p_link, p_photo)) $$;

select is(pg_temp.refusal_of('jonas', 'elm', null), 'PT403 FORBIDDEN', 'who is not Hub-ready founds none');
select is(pg_temp.refusal_of(null, 'elm', null), '42501', 'nor does a guest');
select is(pg_temp.refusal_of('amara', 'elm', 'leaves'), 'PT422 VALIDATION_FAILED', 'a photo is the founder''s own');
select is(pg_temp.refusal_of('amara', 'elm', 'face'), 'PT422 VALIDATION_FAILED', 'and uploaded for Hubs');
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.insert_hub('Elm', null, null, tests.id('leaves')) $$) #> '{details,issues,0,path}', '["profileAssetId"]', 'the answer names it'
);
reset role;
select is_empty('select from app.hubs', 'nothing is founded');
select pg_temp.refusal_of('maya', 'elm', 'leaves');
select is(pg_temp.refusal_of('amara', 'elm', null), '23505', 'a custom link is one Hub''s');
select set_eq($$ select tests.who_may('select app.insert_hub(null, null, null, null)') $$, array['authenticated'], 'who has a session founds');

rollback to empty;

-- get_hub: shows the hub or its preview
select tests.elm();
select tests.person('guest', 1);
select tests.hub('ash', 'lena');
select tests.close_hub('ash');
update app.hubs set custom_link = 'elm-street' where id = tests.id('elm');
update app.memberships set seen_at = app.now() - interval '1 hour';

select is(
  tests.refusals('get_hub', tests.in_hub('elm')), '{"guest": "not theirs", "signed out": "UNAUTHORIZED"}', 'to whoever has a session'
);
select tests.authenticate_as('lena');
select set_config('request.jwt.claims', (tests.claims('lena') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
select is(tests.refusal('get_hub', tests.in_hub('elm')), 'UNAUTHORIZED', 'that is live');
select tests.authenticate_as('guest');
select is(
  api.get_hub(tests.in_hub('elm')), (select app.hub_preview(h, ('none', null, null, null)) from app.hubs as h), 'an outsider sees the preview'
);
select is(tests.refusal('get_hub', tests.in_hub('ash')), 'HUB_NOT_FOUND', 'and of a closed one nothing');
select is(tests.refusal('get_hub', tests.in_hub('unknown')), 'HUB_NOT_FOUND', 'as of none');
select tests.authenticate_as('jonas');
select is(api.get_hub(tests.in_hub('elm')) ->> 'customLink', 'elm-street', 'a member sees the Hub');
reset role;
select results_eq(
  'select user_id from app.memberships where seen_at = app.now()', tests.ids('jonas'), 'and has used it by that'
);

rollback to empty;

-- get_hub_settings: are ones own
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.authenticate_as('jonas');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": false}', 'at first nothing is muted');
select is(api.update_hub_settings(tests.in_hub('elm', '{"contentMuted": true}')), '{"contentMuted": true}', 'then it may be');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": true}', 'and stays');
select is(api.get_hub_settings(tests.in_hub('ash')), '{"contentMuted": false}', 'in that Hub alone');
select tests.authenticate_as('amara');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": false}', 'and for nobody else');
select tests.authenticate_as('jonas');
select is(api.update_hub_settings(tests.in_hub('elm', '{"contentMuted": false}')), '{"contentMuted": false}', 'until it is not');
select is(api.get_hub_settings(tests.in_hub('elm')), '{"contentMuted": false}', 'any more');

rollback to empty;

-- get_hub_settings: is for members
select tests.elm();
select is(tests.refusals('get_hub_settings', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'to read');
select is(
  tests.refusals('update_hub_settings', tests.in_hub('elm', '{"contentMuted": true}')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'and to change'
);
select is(tests.refusals('get_hub_settings', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'of no Hub there are any');
select is(
  tests.refusals('update_hub_settings', tests.in_hub('ash', '{"contentMuted": true}')), tests.everybody('HUB_NOT_FOUND'), 'to change'
);

rollback to empty;

-- hub_card: shows members more
select tests.elm();
update app.hubs set custom_link = 'elm-street';
update app.memberships set seen_at = app.now() where user_id in (tests.id('amara'), tests.id('maya'));

create function pg_temp.more()
returns jsonb
language sql
as $$
  select app.hub_card(h, app.viewer_status(h.id)) - array(select jsonb_object_keys(app.hub_preview(h, app.viewer_status(h.id)))) from app.hubs as h
$$;

select tests.authenticate_as('jonas');
select is(pg_temp.more(), '{"customLink": "elm-street", "activeUsers24h": 2}', 'its link and how much it is used');
select is(app.hub_card(h, app.viewer_status(h.id)) ->> 'viewerRole', 'member', 'beside what the preview holds') from app.hubs as h;
select tests.authenticate_as('lena');
select is(pg_temp.more(), '{}', 'others see the preview');

rollback to empty;

-- hub_preview: shows what everybody may see
select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
update app.hubs set name = 'Elm', description = 'Trees', photo_asset_id = tests.id('photo'), custom_link = 'elm-street';

create function pg_temp.preview(p_standing app.membership_status)
returns jsonb
language sql
as $$ select app.hub_preview(h, p_standing) from app.hubs as h $$;

create function pg_temp.expected(p_change jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('elm'), 'name', 'Elm', 'description', 'Trees', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'),
  'memberCount', 3, 'viewerStatus', 'none', 'viewerRole', null
) || p_change;

select tests.authenticate_as_guest();
select is(pg_temp.preview(('none', null, null, null)), pg_temp.expected('{}'), 'seven things, to guests too');
select is(
  pg_temp.preview(('invited', null, tests.id('invitation'), null)),
  pg_temp.expected(jsonb_build_object('viewerStatus', 'invited', 'invitationId', tests.id('invitation'))), 'and to whom it is open, the invitation'
);
select is(
  pg_temp.preview(('pending_admin_approval', null, null, tests.id('request'))),
  pg_temp.expected(jsonb_build_object('viewerStatus', 'pending_admin_approval', 'joinRequestId', tests.id('request'))), 'or the request to join'
);
select is(
  pg_temp.preview(('member', 'manager', null, null)), pg_temp.expected('{"viewerStatus": "member", "viewerRole": "manager"}'),
  'members see in it what they are'
);

rollback to empty;

-- hub_json: is of hubs that are there
select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'ben');
select tests.close_hub('ash');

select tests.authenticate_as('jonas');
select is(
  app.hub_json(tests.id('elm')), (select app.hub_card(h, app.viewer_status(h.id)) from app.hubs as h), 'a Hub as the caller sees it'
);
select throws_ok($$ select app.hub_json(tests.id('ash')) $$, 'PT404', 'HUB_NOT_FOUND', 'a closed one is not found');
select throws_ok($$ select app.hub_json(tests.id('unknown')) $$, 'PT404', 'HUB_NOT_FOUND', 'nor is one that never was');

rollback to empty;

-- list_my_hubs: is for everybody
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.hub('oak', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');
select tests.authenticate_as('lena');
select is(
  tests.listed(api.list_my_hubs('{}')), tests.ids('elm'), 'below level 4 the list holds the Hubs that the caller is invited to'
);
reset role;
update app.users set phone = null, phone_verified_at = null where id = tests.id('lena');
select tests.authenticate_as('lena');
select is(api.list_my_hubs('{}'), '{"items": [], "nextCursor": null}', 'without a verified phone the list is empty');
reset role;
update app.users set phone = '+12025559999', phone_verified_at = app.now(), contacts_synced_at = app.now() where id = tests.id('lena');
select is(tests.refusal_of(null, $$ select api.list_my_hubs('{}') $$), '42501', 'a guest has no list');
delete from app.hubs where id = tests.id('oak');
select tests.hub('hub ' || n, 'lena') from generate_series(1, 31) as n;
select tests.authenticate_as('lena');
select is(cardinality(tests.listed(api.list_my_hubs('{}'))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.list_my_hubs('{"limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('list_my_hubs', '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_my_hubs', '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(tests.refusal('list_my_hubs', '{"cursor": "3?"}'), 'VALIDATION_FAILED', 'however that begins');
select is(
  tests.refusal('list_my_hubs', jsonb_build_object('cursor', app.encode_cursor(app.now(), tests.id('elm')))), 'VALIDATION_FAILED', 'that of another list is foreign'
);
select is(
  tests.refusal('list_my_hubs', jsonb_build_object('cursor', '4' || app.encode_cursor(app.now(), tests.id('elm')))), 'VALIDATION_FAILED', 'there is no fourth part'
);
reset role;
select tests.person('new', 4);
select tests.authenticate_as('new');
select is(api.list_my_hubs('{}'), '{"items": [], "nextCursor": null}', 'it may be empty');

rollback to empty;

-- list_my_hubs: is in three parts
select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig', 'bay', 'cob']) as name;
select tests.membership(name, 'lena') from unnest(array['elm', 'ash', 'oak']) as name;
select tests.join_request(name, name, 'lena') from unnest(array['fir', 'yew', 'box']) as name;
select tests.invitation(name, name, 'amara', 'lena') from unnest(array['fig', 'bay', 'cob']) as name;

-- The first of each part is of next year, the last of last year.
create function pg_temp.at(p_id uuid)
returns timestamptz
language sql
return app.now() + interval '1 year' * case when p_id = any (tests.ids('oak', 'yew', 'bay')) then 1 when p_id = any (tests.ids('elm', 'box', 'fig')) then -1 else 0 end;

update app.hubs set last_activity_at = pg_temp.at(id);
update app.join_requests set created_at = pg_temp.at(id);
update app.hub_invitations set created_at = pg_temp.at(id);

select tests.authenticate_as('lena');
create temporary table answers as select api.list_my_hubs('{}') as page;
select is(
  tests.listed(page), tests.ids('bay', 'cob', 'fig', 'yew', 'fir', 'box', 'oak', 'ash', 'elm'),
  'whereto one is invited and where one asks, newest first; then one''s own, last active first'
)
from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,0,invitationId}', to_jsonb(tests.id('bay')), 'with what is open') from answers;
select is(
  page #> '{items,8}', (select app.hub_card(h, app.viewer_status(h.id)) from app.hubs as h where h.id = tests.id('elm')), 'each as the caller sees it'
)
from answers;
select is(tests.listed_in_parts('list_my_hubs', '{}'), tests.listed(page), 'or one after the other') from answers;

rollback to empty;

-- list_my_hubs: pages through one moment
select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig', 'bay', 'cob']) as name;
select tests.membership(name, 'lena') from unnest(array['elm', 'ash', 'oak']) as name;
select tests.join_request(name, name, 'lena') from unnest(array['fir', 'yew', 'box']) as name;
select tests.invitation(name, name, 'amara', 'lena') from unnest(array['fig', 'bay', 'cob']) as name;
select tests.without_indexes();

create function pg_temp.in_order(variadic p_names text[])
returns uuid[]
language sql
return array(select id from unnest(tests.ids(variadic p_names)) as id order by id desc);

select tests.authenticate_as('lena');
select is(
  tests.listed(api.list_my_hubs('{}')),
  pg_temp.in_order('fig', 'bay', 'cob') || pg_temp.in_order('fir', 'yew', 'box') || pg_temp.in_order('elm', 'ash', 'oak'),
  'what is of one moment is in the order of its ids'
);
select is(tests.listed_in_parts('list_my_hubs', '{}'), tests.listed(api.list_my_hubs('{}')), 'on pages as on one');

rollback to empty;

-- my_hub_entries: hold each hub once
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
      (2, app.now() - interval '2 days', tests.id('ash'), ('pending_admin_approval', null, null, tests.id('ash'))::app.membership_status),
      (3, app.now(), tests.id('oak'), ('invited', null, tests.id('second'), null)::app.membership_status),
      (3, app.now(), tests.id('fir'), ('invited', null, tests.id('to fir'), null)::app.membership_status)
  $$,
  'as what the caller is to it first of all'
);
select set_eq(
  'select hub_id, (standing).status, (standing).role, (standing).invitation_id, (standing).join_request_id from app.my_hub_entries',
  $$ select e.hub_id, s.status, s.role, s.invitation_id, s.join_request_id from app.my_hub_entries as e, app.viewer_status(e.hub_id) as s $$,
  'which is what they are to it everywhere'
);

rollback to empty;

-- my_hub_entries: show the newest invitation
select tests.elm();
select tests.hub('ash', 'amara');
select tests.membership('ash', 'jonas');
select tests.invitation('first to elm', 'elm', 'amara', 'lena');
select tests.invitation('newest to elm', 'elm', 'maya', 'lena');
select tests.invitation('newest to ash', 'ash', 'jonas', 'lena');
select tests.invitation('first to ash', 'ash', 'amara', 'lena');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = any (tests.ids('first to elm', 'first to ash'));
-- Rows lie in the order of their last change: to elm the newest lies first, to ash the other one.
update app.hub_invitations set created_at = app.now() where id = tests.id('newest to ash');

select tests.authenticate_as('lena');
select set_eq(
  'select (standing).invitation_id, at from app.my_hub_entries',
  $$ values (tests.id('newest to elm'), app.now()), (tests.id('newest to ash'), app.now()) $$, 'of two, whichever was written down first'
);

rollback to empty;

-- my_invitations: name the caller
select tests.elm();
select tests.hub('oak', 'lena');
select tests.invitation('open', 'oak', 'lena', 'maya');
select tests.invitation('accepted', 'oak', 'lena', 'maya', 'accepted');
select tests.invitation('declined', 'oak', 'lena', 'maya', 'declined');
select tests.person('ann', 4);
select tests.membership('oak', 'ann');
select tests.invitation('over', 'oak', 'ann', 'maya', 'pending', app.now());
select tests.invitation('another''s', 'elm', 'maya', 'somebody');

select tests.authenticate_as('maya');
select bag_eq(
  'select invitation_id, hub_id, invited_at, state::text from app.my_invitations',
  $$
    values
      (tests.id('open'), tests.id('oak'), app.now(), 'pending'),
      (tests.id('accepted'), tests.id('oak'), app.now(), 'accepted'),
      (tests.id('declined'), tests.id('oak'), app.now(), 'declined'),
      (tests.id('over'), tests.id('oak'), app.now(), 'expired')
  $$,
  'those that name one''s own phone, with what became of them, and not all that a manager sees'
);
reset role;
select tests.block('lena', 'maya');
select tests.authenticate_as('maya');
select results_eq('select invitation_id from app.my_invitations', array[tests.id('over')], 'none by whom one is blocked');
reset role;
select tests.membership('oak', 'maya', 'manager');
select tests.authenticate_as('maya');
select results_eq('select invitation_id from app.my_invitations', array[tests.id('over')], 'whatever a manager sees');
reset role;
select tests.person('phoneless', 2);
select tests.authenticate_as('phoneless');
select is_empty('select from app.my_invitations', 'none without a phone');
select tests.authenticate_as_guest();
select throws_ok('select from app.my_invitations', '42501', null, 'a guest has none');

rollback to empty;

-- record_hub_activity: goes forward
select tests.elm();
select tests.hub('ash', 'lena');
update app.hubs set last_activity_at = app.now() - interval '1 day';
create temporary table moments as select app.now() as before;

select app.record_hub_activity(tests.id('elm'));
select results_eq(
  'select last_activity_at from app.hubs order by last_activity_at', 'select before - interval ''1 day'' from moments union all select before from moments',
  'something happened in that Hub alone'
);
update app.hubs set last_activity_at = before + interval '1 day' from moments;
select app.record_hub_activity(tests.id('elm'));
select results_eq(
  'select distinct last_activity_at from app.hubs', 'select before + interval ''1 day'' from moments', 'and time does not go back'
);
select is_empty($$ select tests.who_may('select app.record_hub_activity(null)') $$, 'no role says so by itself');

rollback to empty;

-- presence_slot: is the five minutes
select is(app.presence_slot('2026-01-01 12:05+00'), '2026-01-01 12:05+00', 'five minutes begin with their first moment');
select is(app.presence_slot('2026-01-01 12:09:59.999999+00'), '2026-01-01 12:05+00', 'and end before the next');
select is_empty($$ select tests.who_may('select app.presence_slot(null)') $$, 'the triggers alone ask');

rollback to empty;

-- put_hub_photo: is the admins
select tests.elm();
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'manager');
select tests.hub('oak', 'lena');
select tests.asset(name || '''s', name, 'hub_photo') from unnest(array['amara', 'maya', 'ann', 'jonas', 'lena']) as name;
select tests.asset('face', 'amara', 'profile_photo');

create function pg_temp.refusal_of(p_caller text, p_photo text)
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.put_hub_photo(tests.id(%L), tests.id(%L))', 'elm', p_photo)) $$;

create function pg_temp.photo()
returns uuid
language sql
as $$ select h.photo_asset_id from app.hubs as h where h.name = 'elm' $$;

select is(pg_temp.refusal_of('amara', 'amara''s'), null, 'an admin gives the Hub a photo');
select is(pg_temp.photo(), tests.id('amara''s'), 'and there it is');
select is(pg_temp.refusal_of('maya', 'amara''s'), null, 'another one may leave it');
select is(pg_temp.refusal_of('amara', 'face'), 'PT422 VALIDATION_FAILED', 'no photo that is for something else');
select is(pg_temp.refusal_of('amara', 'maya''s'), 'PT422 VALIDATION_FAILED', 'nor one of somebody else');
select is(pg_temp.refusal_of(name, name || '''s'), 'PT403 FORBIDDEN', 'no admin, no photo: ' || name) from unnest(array['ann', 'jonas', 'lena']) as name;
select is(pg_temp.photo(), tests.id('amara''s'), 'it stays');
select is(pg_temp.refusal_of('maya', null), null, 'an admin removes it');
select is(pg_temp.photo(), null, 'whoever gave it');
select set_eq($$ select tests.who_may('select app.put_hub_photo(null, null)') $$, array['authenticated'], 'who has a session may try');

rollback to empty;

-- put_hub_photo: says which field
select tests.elm();
select tests.hub('oak', 'lena');
select tests.asset('leaves', 'amara', 'hub_photo');
select tests.authenticate_as('amara');
select is(
  tests.error_of($$ select app.put_hub_photo(tests.id('elm'), tests.id('nothing')) $$) #> '{details,issues,0,path}', '["profileAssetId"]',
  'a refusal names the field'
);
select app.put_hub_photo(tests.id('elm'), tests.id('leaves'));
reset role;
select results_eq('select name from app.hubs where photo_asset_id is not null', array['elm'], 'one Hub has the photo');

rollback to empty;

-- viewer_status: is the first that applies
select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');

create function pg_temp.standing(p_caller text default 'lena')
returns app.membership_status
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', coalesce(tests.claims(p_caller)::text, ''), true);
  perform set_config('role', case when p_caller is null then 'anon' else 'authenticated' end, true);
  return app.viewer_status(tests.id('elm'));
end
$$;

select is(pg_temp.standing(), row('none', null, null, null)::app.membership_status, 'an outsider is nothing to a Hub');
select is(pg_temp.standing(null), row('none', null, null, null)::app.membership_status, 'nor is a guest');
select is(pg_temp.standing('maya'), row('member', 'manager', null, null)::app.membership_status, 'a member is, with their role');
reset role;
select tests.invitation('note', 'elm', 'jonas', 'lena');
update app.hub_invitations set created_at = created_at - interval '2 minutes';
select tests.invitation('newest', 'elm', 'maya', 'lena');
update app.hub_invitations set created_at = created_at - interval '1 minute';
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select is(pg_temp.standing(), row('invited', null, tests.id('newest'), null)::app.membership_status, 'who is invited is that, by the latest invitation');
reset role;
select tests.join_request('of oak', 'oak', 'lena');
select tests.join_request('rejected', 'elm', 'lena', 'rejected');
select is((pg_temp.standing()).status, 'invited', 'what was asked of others, or is decided, does not count');
reset role;
select tests.join_request('asked', 'elm', 'lena');
select is(pg_temp.standing(), row('pending_admin_approval', null, null, tests.id('asked'))::app.membership_status, 'who asks waits, first of all');
select is((pg_temp.standing('maya')).status, 'member', 'a member is one, first of all');
reset role;
select tests.invitation('of ann', 'elm', 'amara', 'ann');
select is((pg_temp.standing('ann')).invitation_id, tests.id('of ann'), 'one''s own count');
reset role;
select is((app.viewer_status(tests.id('elm'))).status, 'invited', 'and nobody else''s, even where no policy hides them');
select tests.authenticate_as_guest();
reset role;
select set_eq($$ select tests.who_may('select app.viewer_status(null)') $$, array['anon', 'authenticated'], 'guests look as well');

rollback to empty;

-- state_of: knows the time
select results_eq(
  $$ select app.state_of('pending', app.now() + shift) from unnest(array['0', '1 microsecond']::interval[]) as shift $$,
  array['expired', 'pending']::app.invitation_state[], 'an open invitation has expired when its time is over'
);
select results_eq(
  $$ select app.state_of(state, app.now() - interval '1 day') from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state $$,
  array['accepted', 'declined', 'expired']::app.invitation_state[], 'any other stays what it is'
);
select set_eq($$ select tests.who_may('select app.state_of(null, null)') $$, array['anon', 'authenticated'], 'guests look as well');

rollback to empty;

-- update_hub: changes what is given
select tests.elm();
select tests.asset(name, 'amara', 'hub_photo') from unnest(array['first', 'second']) as name;
select tests.hub('ash', 'amara');

create function pg_temp.change(p_args jsonb)
returns jsonb
language sql
as $$
  select jsonb_build_array(hub -> 'name', hub -> 'description', right(hub ->> 'profilePhotoUrl', 36))
  from api.update_hub(tests.in_hub('elm', p_args)) as hub
$$;

select tests.authenticate_as('amara');
select is(pg_temp.change('{"name": "Elms", "description": "Trees"}'), '["Elms", "Trees", null]', 'name and description');
select is(
  pg_temp.change(jsonb_build_object('profileAssetId', tests.id('first'))), jsonb_build_array('Elms', 'Trees', tests.id('first')), 'the photo alone'
);
select is(pg_temp.change('{"description": null}'), jsonb_build_array('Elms', '', tests.id('first')), 'null takes the description away');
select is(pg_temp.change('{"name": "Elm"}'), jsonb_build_array('Elm', '', tests.id('first')), 'what is not given stays');
select is(pg_temp.change('{"profileAssetId": null}'), '["Elm", "", null]', 'null takes the photo away');
select is(
  api.update_hub(tests.in_hub('elm', '{"name": "Elm"}')), app.hub_json(tests.id('elm')), 'it answers the Hub'
);
select is(name, 'ash', 'and changes no other') from app.hubs where id = tests.id('ash');

rollback to empty;

-- update_hub: is for admins
select tests.elm();
select is(tests.refusals('update_hub', tests.in_hub('elm', '{"name": "Oak"}')), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'name and description');
select is(
  tests.refusals('update_hub', tests.in_hub('elm', '{"profileAssetId": null}')), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'and the photo'
);
select is(
  tests.refusals('change_hub_link', tests.in_hub('elm', '{"customLink": "oak"}')), tests.all_but_amara('FORBIDDEN', 'FORBIDDEN'), 'as is the link'
);
select is(tests.refusals('update_hub', tests.in_hub('ash', '{"name": "Oak"}')), tests.everybody('HUB_NOT_FOUND'), 'of no Hub there is one');
select is(tests.refusals('change_hub_link', tests.in_hub('ash', '{"customLink": "oak"}')), tests.everybody('HUB_NOT_FOUND'), 'nor a link');

select * from finish();
rollback;
