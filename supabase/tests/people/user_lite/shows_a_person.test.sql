select plan(2);

select tests.person('maya');
select is(
  app.user_lite(p),
  jsonb_build_object('id', tests.id('maya'), 'username', 'maya', 'name', 'Maya', 'profilePhotoUrl', null, 'isAnonymous', false),
  'a registered person by handle and name'
)
from app.profiles as p;
select is(
  app.user_lite(null), '{"id": "", "username": "", "name": "", "profilePhotoUrl": null, "isAnonymous": true}',
  'an ended account by nothing'
);

select * from finish();
