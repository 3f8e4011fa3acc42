select plan(3);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('photo', 'maya', 'profile_photo');
update app.profiles set bio = 'Trams', photo_asset_id = tests.id('photo') where user_id = tests.id('maya');
select tests.follow('maya', 'jonas');
select tests.post('public', 'maya');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.post('his', 'jonas');
select tests.repost('again', 'maya', 'his');
select tests.repost('privately', 'maya', 'his', 'private_locked_hub');
select tests.comment('hello', 'maya', 'his');
select tests.comment('hello too', 'jonas', 'public');

create function pg_temp.expected(p_posts integer, p_reposts integer, p_viewer jsonb)
returns jsonb
language sql
return jsonb_build_object(
  'id', tests.id('maya'), 'name', 'Maya', 'username', 'maya', 'bio', 'Trams',
  'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo'), 'isAnonymous', false,
  'counts', jsonb_build_object('followers', 0, 'following', 1),
  'activity', jsonb_build_object('posts', p_posts, 'reposts', p_reposts, 'comments', 1, 'votes', 0),
  'adminHubs', jsonb_build_array(), 'viewer', p_viewer
);

select tests.act_as_guest();
select is(app.public_profile(tests.id('maya')), pg_temp.expected(1, 1, null), 'a guest sees this and no more, with the posts that are theirs to see');
select tests.act_as('jonas');
select is(
  app.public_profile(tests.id('maya')),
  pg_temp.expected(1, 1, '{"follows": false, "followedBy": true, "blocking": false, "publicPostsMuted": false}'),
  'a member sees what is between the two as well'
);
select tests.act_as('maya');
select is(
  app.public_profile(tests.id('maya')),
  pg_temp.expected(2, 2, '{"follows": false, "followedBy": false, "blocking": false, "publicPostsMuted": false}'),
  'and the person all of their posts'
);

select * from finish();
