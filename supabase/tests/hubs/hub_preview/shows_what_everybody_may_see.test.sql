select plan(4);

select tests.elm();
select tests.asset('photo', 'amara', 'hub_photo');
update app.hubs set name = 'Elm', description = 'Trees', photo_asset_id = tests.id('photo'), custom_link = 'elm-street';

create function pg_temp.preview(p_standing app.hub_standing)
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

select tests.act_as_guest();
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

select * from finish();
