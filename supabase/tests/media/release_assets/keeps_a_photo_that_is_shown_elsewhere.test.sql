select plan(6);

select tests.person('maya', 4);
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('next', 'maya', 'profile_photo');

create function pg_temp.wear(p_public text, p_in_hubs text)
returns void
language sql
as $$
  insert into app.hub_profiles (user_id) values (tests.id('maya')) on conflict do nothing;
  update app.hub_profiles set photo_asset_id = tests.id(p_in_hubs);
  update app.profiles set photo_asset_id = tests.id(p_public);
$$;

select pg_temp.wear('face', 'face');
update app.profiles set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'the public profile lets go of a photo that the Hub profile shows');
select pg_temp.wear('face', 'face');
update app.hub_profiles set photo_asset_id = null;
select is_empty('select tests.to_be_removed()', 'and the other way round');
select pg_temp.wear('next', 'next');
select set_eq('select tests.to_be_removed()', array[tests.id('face')], 'what neither shows any more goes');
delete from app.profiles;
select set_eq('select tests.to_be_removed()', array[tests.id('face')], 'a profile that goes leaves what the other shows');
delete from app.hub_profiles;
select set_eq('select tests.to_be_removed()', array[tests.id('face'), tests.id('next')], 'and the other takes it along');
select is_empty('select from app.assets', 'then there is none');

select * from finish();
