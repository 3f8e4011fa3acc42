select plan(6);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.person(name, 4) from unnest(array['ben', 'ann', 'tom']) as name;
select tests.asset('face', 'ben', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('ben');
insert into app.hub_profiles (user_id, display_name) values (tests.id('ben'), 'Benjamin');
select tests.join_request('of ben', 'elm', 'ben');
select tests.join_request('of ann', 'elm', 'ann');
select tests.join_request('elsewhere', 'ash', 'ann');
select tests.join_request('rejected', 'elm', 'tom', 'rejected');
update app.join_requests set created_at = app.now() - interval '1 day', source = 'member_invitation' where id = tests.id('of ben');

select tests.act_as('maya');
select is(tests.listed(api.list_join_requests(tests.in_hub('elm'))), tests.ids('of ann', 'of ben'), 'newest first');
select is(
  api.list_join_requests(tests.in_hub('elm')) #> '{items,1}',
  jsonb_build_object(
    'id', tests.id('of ben'), 'state', 'pending_admin_approval', 'source', 'member_invitation', 'createdAt', app.iso(app.now() - interval '1 day'),
    'user', jsonb_build_object(
      'userId', tests.id('ben'), 'displayName', 'Ben', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('face'), 'username', 'ben'
    )
  ),
  'who asks is shown as to everybody'
);
select is(tests.listed_in_parts('list_join_requests', tests.in_hub('elm')), tests.ids('of ann', 'of ben'), 'one after the other too');
select tests.act_as('jonas');
select is(app.listed_join_requests(array[(null, tests.id('of ben'))]::app.list_entry[]), '[]', 'a member is shown none');
select tests.act_as('maya');
select is(
  tests.listed(jsonb_build_object('items', app.listed_join_requests(array[(null, tests.id('of ben')), (null, tests.id('of ann'))]::app.list_entry[]))),
  tests.ids('of ben', 'of ann'), 'requests are in the order they are given'
);
select is(app.listed_join_requests('{}'), '[]', 'none are none');

select * from finish();
