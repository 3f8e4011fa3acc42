select plan(7);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['first', 'second', 'unused']) as name;
select tests.asset('his', 'jonas', 'profile_photo');
select tests.open_upload('of the first', 'maya', 'profile_photo');
update app.uploads set asset_id = tests.id('first');
update app.profiles set photo_asset_id = tests.id('his') where user_id = tests.id('jonas');

create function pg_temp.choose(p_name text)
returns void
language plpgsql
as $$
begin
  perform tests.act_as('maya');
  perform api.update_own_profile(jsonb_build_object('profileAssetId', case when p_name is not null then tests.id(p_name) end));
  perform set_config('role', 'none', true);
end
$$;

select pg_temp.choose('first');
select is_empty('select tests.to_be_removed()', 'where there was none, none goes');
select pg_temp.choose('first');
select is_empty('select tests.to_be_removed()', 'nor where it is the same again');
select pg_temp.choose('second');
select set_eq('select tests.to_be_removed()', array[tests.id('first')], 'one that is replaced goes, by the worker');
select is_empty('select from app.uploads', 'with what it came by');
select set_eq(
  'select id from app.assets', array[tests.id('second'), tests.id('unused'), tests.id('his')], 'the others stay, used or not'
);
select pg_temp.choose(null);
select set_eq('select tests.to_be_removed()', array[tests.id('first'), tests.id('second')], 'one that is removed goes');
update app.profiles set bio = 'New';
select set_eq('select id from app.assets', array[tests.id('unused'), tests.id('his')], 'other changes let none go');

select * from finish();
