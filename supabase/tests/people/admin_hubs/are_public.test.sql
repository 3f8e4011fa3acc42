select plan(5);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.asset('photo', 'lena', 'hub_photo');
update app.hubs set photo_asset_id = tests.id('photo') where id = tests.id('ash');

create function pg_temp.expected(p_name text, p_photo text)
returns jsonb
language sql
return jsonb_build_object('id', tests.id(p_name), 'name', p_name, 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id(p_photo));

select tests.act_as_guest();
select is(app.admin_hubs(tests.id('lena')), jsonb_build_array(pg_temp.expected('ash', 'photo')), 'with their photos');
select is(app.admin_hubs(tests.id('amara')), jsonb_build_array(pg_temp.expected('elm', null)), 'each their own');
select is(app.admin_hubs(tests.id('maya')), '[]', 'a manager''s are not');
select is(app.admin_hubs(tests.id('jonas')), '[]', 'nor a member''s');
select is(api.get_profile(tests.user('amara')) -> 'adminHubs', app.admin_hubs(tests.id('amara')), 'profiles show them');

select * from finish();
