select plan(1);

select tests.elm();
select tests.asset('hub face', 'maya', 'profile_photo');
insert into app.hub_profiles (user_id, display_name, photo_asset_id) values (tests.id('maya'), 'Mayim', tests.id('hub face'));
update app.memberships set joined_at = app.now() - interval '1 day' where user_id = tests.id('maya');

select tests.act_as('jonas');
select is(
  app.hub_member(person),
  jsonb_build_object(
    'userId', tests.id('maya'), 'displayName', 'Mayim', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('hub face'),
    'username', 'maya', 'phoneNumber', tests.phone_of('maya'), 'role', 'manager', 'joinedAt', app.iso(app.now() - interval '1 day')
  ),
  'with the private profile and the phone'
)
from app.hub_people(tests.id('elm'), tests.ids('maya')) as person;

select * from finish();
