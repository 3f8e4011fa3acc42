select plan(1);

select tests.person('maya');
select tests.session('maya');
select tests.asset('face', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face');
set local session authorization opine_gateway;
select is(
  answer::jsonb ->> 'profilePhotoUrl', 'https://one.example/photos/' || tests.id('face'), 'below the URL of the request'
)
from gateway.invoke_once('get_own_profile', tests.claims('maya'), '{}', 'key', 'f', false, 'https://one.example/photos/');

select * from finish();
