select plan(7);

select tests.person('maya', 4);
select tests.asset('photo', 'maya', 'profile_photo');

create function pg_temp.violation(p_display_name text)
returns text
language sql
return tests.violation_of(format(
  'insert into app.hub_profiles (user_id, display_name) values (tests.id(%L), %L) on conflict (user_id) do update set display_name = excluded.display_name',
  'maya', p_display_name
));

select is(pg_temp.violation(null), null, 'the name may be that of the profile');
select is(pg_temp.violation('a'), 'hub_profiles_display_name_length', 'or has two characters');
select is(pg_temp.violation(' a '), 'hub_profiles_display_name_length', 'that are no blanks');
select is(pg_temp.violation('ab'), null, 'at least');
select is(pg_temp.violation(repeat('é', 80)), null, '80');
select is(pg_temp.violation(repeat('é', 81)), 'hub_profiles_display_name_length', 'at most');
update app.hub_profiles set photo_asset_id = tests.id('photo');
select is(
  tests.violation_of($$ delete from app.assets $$), 'hub_profiles_photo_asset_id_fkey', 'and no photo goes as long as it is shown'
);

select * from finish();
