select plan(3);

select tests.person('maya');
select tests.asset('face', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face');

create function pg_temp.photo(p_url text)
returns text
language sql
return gateway.invoke('get_profile', null, tests.user('maya'), false, p_url)::jsonb ->> 'profilePhotoUrl';

set local session authorization opine_gateway;
select is(pg_temp.photo('https://one.example/photos/'), 'https://one.example/photos/' || tests.id('face'), 'below the URL of the request');
set local role none;
select is(pg_temp.photo('https://two.example/photos/'), 'https://two.example/photos/' || tests.id('face'), 'each by its own');
set local role none;
select is(pg_temp.photo(null), '/storage/v1/object/public/photos/' || tests.id('face'), 'none is left from another');

select * from finish();
