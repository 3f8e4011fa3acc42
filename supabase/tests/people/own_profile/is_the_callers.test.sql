select plan(6);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'left');

select tests.act_as('maya');
create temporary table profiles as select app.own_profile() as profile;
select is(profile ->> 'username', 'maya', 'one sees one''s own profile') from profiles;
select is(profile ->> 'phoneNumber', tests.phone_of('maya'), 'with the phone number') from profiles;
select is(
  profile -> 'editable', '{"fullName": "Maya", "username": "maya", "bio": null, "profileAssetId": null}', 'and what one may edit'
)
from profiles;
select is(
  (profile -> 'activity') - 'reposts' - 'comments', '{"posts": 1, "votes": 0}', 'and counts what one did oneself'
)
from profiles;
select set_eq(
  'select jsonb_object_keys(profile) from profiles',
  $$
    select jsonb_object_keys(app.public_profile(tests.id('maya')))
    union
    select unnest(array['fullName', 'phoneNumber', 'level', 'createdAt', 'editable'])
  $$,
  'besides what others see'
);
select is(
  profile -> 'level' || jsonb_build_array(profile -> 'fullName', profile -> 'createdAt'),
  jsonb_build_array(3, 'Maya', app.iso(app.now())), 'with how far one has come, and since when'
)
from profiles;

select * from finish();
