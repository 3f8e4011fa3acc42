select plan(4);

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

select * from finish();
