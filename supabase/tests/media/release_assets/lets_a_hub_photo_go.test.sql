select plan(3);

select tests.person('maya', 4);
select tests.asset(name, 'maya', 'profile_photo') from unnest(array['first', 'second']) as name;

create function pg_temp.choose(p_name text)
returns void
language plpgsql
as $$
begin
  perform tests.act_as('maya');
  perform api.update_hub_profile(jsonb_build_object('profileAssetId', case when p_name is not null then tests.id(p_name) end));
  perform set_config('role', 'none', true);
end
$$;

select pg_temp.choose('first');
select pg_temp.choose('first');
select is_empty('select tests.to_be_removed()', 'chosen again it stays');
select pg_temp.choose('second');
select set_eq('select tests.to_be_removed()', array[tests.id('first')], 'replaced it goes');
select pg_temp.choose(null);
select set_eq('select tests.to_be_removed()', array[tests.id('first'), tests.id('second')], 'as it does when it is removed');

select * from finish();
