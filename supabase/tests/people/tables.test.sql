begin;
select plan(62);
savepoint empty;

-- Policies on app.blocks.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');

create function pg_temp.blocked(p_caller text)
returns uuid[]
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return array(select b.blocked_id from app.blocks as b order by b.blocked_id <> tests.id('jonas'));
end
$$;

select is(pg_temp.blocked(caller), blocked, title)
from (
  values
    ('maya', tests.ids('jonas', 'maya'), 'a user reads the blocks that involve them, on either side'),
    ('jonas', tests.ids('jonas'), 'a user cannot read blocks between other users')
) as c (caller, blocked, title);
select tests.authenticate_as('jonas');
delete from app.blocks;
select tests.authenticate_as('maya');
delete from app.blocks;
reset role;
select results_eq('select blocker_id from app.blocks', tests.ids('lena'), 'only a blocker deletes a block');

rollback to empty;

-- Policies and constraints on app.follow_counts.
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select tests.authenticate_as_guest();
select results_eq(
  $$ select follower_count, following_count from app.follow_counts where user_id = tests.id('jonas') $$,
  'values (1, 0)',
  'a guest reads how many users follow a user'
);
reset role;
select throws_ok(
  'update app.follow_counts set follower_count = -1', '23514', null, 'a count of follows cannot be negative'
);

rollback to empty;

-- Policies on app.follows.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'lena');
select tests.follow('lena', 'ann');

select tests.block('ann', 'jonas');

create function pg_temp.followers(p_caller text)
returns text
language plpgsql
as $$
begin
  perform tests.authenticate_as(p_caller);
  return (
    select string_agg(name, ', ' order by place)
    from unnest(array['maya', 'jonas', 'lena']) with ordinality as member (name, place)
    join app.follows as f on f.follower_id = tests.id(name)
  );
end
$$;

select is(pg_temp.followers(caller), followers, title)
from (
  values
    ('maya', 'maya, jonas, lena', 'a member reads follows between other users, blocked by others or not'),
    ('ann', 'lena', 'a member cannot read follows of or by a user whom they block'),
    ('jonas', 'maya, jonas', 'a member cannot read follows of or by a user who blocks them')
) as c (caller, followers, title);
reset role;
select tests.follow('jonas', 'maya');
select tests.authenticate_as('maya');
update app.follows set is_muted = true;
reset role;
select results_eq(
  'select follower_id from app.follows where is_muted', tests.ids('maya'), 'a member mutes only follows that they made'
);
select tests.authenticate_as('maya');
delete from app.follows;
reset role;
select set_eq(
  'select tests.follows()', array['jonas > lena', 'lena > ann', 'jonas > maya'],
  'a member deletes only follows that they made'
);

rollback to empty;

-- Policies on app.hub_profiles.
select tests.person('maya', 4);
select tests.person('jonas', 4);
insert into app.hub_profiles (user_id, display_name) values (tests.id('maya'), 'Maya of the allotments');

select tests.authenticate_as('jonas');
select is_empty('select from app.hub_profiles', 'a member cannot read Hub profiles of other users');
update app.hub_profiles set display_name = 'Changed';
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jonas');
select tests.authenticate_as('maya');
select results_eq(
  'select display_name from app.hub_profiles', array['Maya of the allotments'],
  'a member cannot update Hub profiles of other users'
);
reset role;
delete from app.hub_profiles;
select tests.authenticate_as('jonas');
select throws_ok(
  $$ insert into app.hub_profiles (user_id) values (tests.id('maya')) $$, '42501', null,
  'a member cannot insert a Hub profile of another user'
);

rollback to empty;

-- Constraints on app.hub_profiles.
select tests.person('maya', 4);
select tests.asset('photo', 'maya', 'profile_photo');

create function pg_temp.violation(p_display_name text)
returns text
language sql
return tests.violation_of(format(
  'insert into app.hub_profiles (user_id, display_name) values (tests.id(%L), %L)
  on conflict (user_id) do update set display_name = excluded.display_name',
  'maya', p_display_name
));

select is(pg_temp.violation(display_name), violated, title)
from (
  values
    (null, null, 'a display name in Hubs can be null'),
    ('a', 'hub_profiles_display_name_length', 'a display name in Hubs has more than one character'),
    (' a ', 'hub_profiles_display_name_length', 'a display name in Hubs has two characters besides outer spaces'),
    ('ab', null, 'a display name in Hubs can have 2 characters'),
    (repeat('é', 80), null, 'a display name in Hubs can have 80 characters'),
    (repeat('é', 81), 'hub_profiles_display_name_length', 'a display name in Hubs cannot have 81 characters')
) as c (display_name, violated, title);
update app.hub_profiles set photo_asset_id = tests.id('photo');
select is(
  tests.violation_of($$ delete from app.assets $$), 'hub_profiles_photo_asset_id_fkey',
  'an asset cannot be deleted while a Hub profile shows it'
);

rollback to empty;

-- is_reserved_handle ignores underscores (docs/product.md P3).
select is(
  app.is_reserved_handle(handle), is_reserved,
  format('is_reserved_handle decides about %s without its underscores', handle)
)
from (
  values
    ('ad_min', true), ('_admin_', true), ('__opine__', true), ('m_e', true), ('www', true), ('maya', false),
    ('administer', false), ('admin1', false), ('opine_fan', false), ('ad_minna', false)
) as c (handle, is_reserved);

rollback to empty;

-- Policies on app.profiles: select and update.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');

create function pg_temp.seen(p_caller text)
returns text[]
language plpgsql
as $$
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
    update app.profiles set bio = 'By ' || p_caller;
  end if;
  return array(select p.username::text from app.profiles as p order by p.username);
end
$$;

select is(pg_temp.seen(caller), seen, title)
from (
  values
    ('jonas', '{jonas,lena}'::text[], 'a blocked user cannot read the profile of the blocker'),
    ('maya', '{jonas,lena,maya}', 'a blocker reads the profile of the blocked user'),
    ('lena', '{jonas,lena,maya}', 'a member reads every profile'),
    (null, '{jonas,lena,maya}', 'a guest reads every profile')
) as c (caller, seen, title);
select is_empty(
  $$ select from app.profiles where bio is distinct from 'By ' || username $$, 'a member updates only their own profile'
);

rollback to empty;

-- Policies on app.profiles: insert.
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.authenticate_as('maya');
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('jonas'), 'jonas', 'Jonas') $$,
  '42501', 'new row violates row-level security policy for table "profiles"',
  'a member cannot insert the profile of another user'
);
select lives_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya') $$,
  'a member can insert their own profile'
);

rollback to empty;

-- Constraints on app.profiles (docs/product.md P2, A7).
select tests.person('maya', 2);
select tests.person('jonas', 1);
select tests.asset('photo', 'maya', 'profile_photo');

create function pg_temp.violation(p_column text, p_value text)
returns text
language sql
return tests.violation_of(format('update app.profiles set %I = %L', p_column, p_value));

select is(
  pg_temp.violation('username', handle), 'profiles_username_is_canonical', format('a username cannot %s', reason)
)
from (
  values
    ('ab', 'have 2 characters'), (repeat('a', 31), 'have 31 characters'), ('Maya', 'have capitals'),
    ('@maya', 'begin with an @'),
    ('may a', 'contain a space'), ('mäya', 'have accents'), (E'maya\n', 'end with a line break')
) as c (handle, reason);
select is(
  pg_temp.violation('username', handle), 'profiles_username_is_not_reserved', format('a username cannot be %s', handle)
)
from unnest(array['admin', '_ad_min_']) as handle;
select is(pg_temp.violation(field, value), violated, title)
from (
  values
    ('username', 'ab_' || repeat('1', 27), null, 'a username can have 30 letters, digits and underscores'),
    ('full_name', '     ', 'profiles_full_name_length', 'a full name cannot be only spaces'),
    ('full_name', 'M', 'profiles_full_name_length', 'a full name cannot have 1 character'),
    ('full_name', 'Al', null, 'a full name can have 2 characters'),
    ('full_name', repeat('é', 80), null, 'a full name can have 80 characters'),
    ('full_name', repeat('é', 81), 'profiles_full_name_length', 'a full name cannot have 81 characters'),
    ('bio', '', 'profiles_bio_length', 'a bio cannot be empty'),
    ('bio', 'b', null, 'a bio can have 1 character'),
    ('bio', repeat('é', 160), null, 'a bio can have 160 characters'),
    ('bio', repeat('é', 161), 'profiles_bio_length', 'a bio cannot have 161 characters')
) as c (field, value, violated, title);
select is(
  tests.violation_of($$ update app.profiles set photo_asset_id = tests.id('nothing') $$),
  'profiles_photo_asset_id_fkey',
  'a profile cannot show an unknown asset'
);
update app.profiles set photo_asset_id = tests.id('photo');
select is(
  tests.violation_of($$ delete from app.assets $$), 'profiles_photo_asset_id_fkey',
  'an asset cannot be deleted while a profile shows it'
);
select tests.person('lena');
select is(
  tests.violation_of(format('update app.profiles set username = %L where user_id = tests.id(%L)', username, 'lena')),
  'profiles_username_key', 'two users cannot have the same username'
)
from app.profiles where user_id = tests.id('maya');
update app.profiles set username = 'maya' where user_id = tests.id('maya');
select is(
  tests.violation_of($$ update app.profiles set username = 'rnaya' where user_id = tests.id('lena') $$),
  'profiles_skeleton_key', 'two users cannot have usernames that look alike'
);

rollback to empty;

-- app.profiles stores the name as searches compare it.
select tests.person_named('zoe', 'Zoë ÅNGSTRÖM');
select is(search_name, 'zoe angstrom', 'the search name of a new profile is its folded full name') from app.profiles;
update app.profiles set full_name = 'Zoé Müller';
select is(search_name, 'zoe muller', 'the search name follows a change of the full name') from app.profiles;

select * from finish();
rollback;
