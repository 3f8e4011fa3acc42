begin;
select plan(107);
savepoint empty;

-- blocks: are of the two
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');

select tests.authenticate_as('maya');
select set_eq(
  'select blocker_id, blocked_id from app.blocks',
  $$ values (tests.id('maya'), tests.id('jonas')), (tests.id('lena'), tests.id('maya')) $$,
  'the policies that ask in one''s name see the blocks of one''s own, on either side'
);
select throws_ok(
  $$ insert into app.blocks (blocker_id, blocked_id) values (tests.id('maya'), tests.id('lena')) $$, '42501', null,
  'a block is made by app.put_block alone, which ends follows'
);
select throws_ok($$ update app.blocks set blocked_id = tests.id('lena') $$, '42501', null, 'and stays of whom it is');
select tests.authenticate_as('jonas');
select set_eq('select blocker_id from app.blocks', array[tests.id('maya')], 'and no others');
delete from app.blocks;
select tests.authenticate_as_guest();
select is_empty('select blocker_id from app.blocks', 'a guest has none');
select throws_ok('delete from app.blocks', '42501', null, 'who takes back none');
reset role;
select is(count(*)::integer, 2, 'who is blocked takes back nothing') from app.blocks;
select tests.authenticate_as('maya');
select lives_ok('delete from app.blocks', 'who has blocked does');
reset role;
select results_eq('select blocker_id from app.blocks', array[tests.id('lena')], 'and nothing else');

rollback to empty;

-- blocks: hold to their rules
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.block('maya', 'jonas');
select is(tests.violation_of($$ select tests.block('maya', 'jonas') $$), 'blocks_pkey', 'one blocks somebody once');
select is(tests.violation_of($$ select tests.block('maya', 'maya') $$), 'blocks_are_of_others', 'and never oneself');
select is(tests.violation_of($$ select tests.block('jonas', 'maya') $$), null, 'two may block each other');

rollback to empty;

-- folded: is lower case without accents
select is(app.folded('Zoë ÅNGSTRÖM'), 'zoe angstrom', 'accents and capitals are gone');
select is(app.folded(U&'Zoe\0308'), 'zoe', 'however an accent is written');
select is(app.folded('Ｍａｙａ'), 'maya', 'wide letters are letters');
select is(app.folded('Łukasz Straße'), 'lukasz strasse', 'letters that not every keyboard has are written as one would');
select is(app.folded('ÆØŒÞĐÐĦŦı'), 'aeooethddhti', 'all that are Latin');
select is(app.folded('محمد Мая'), 'محمد мая', 'others stay');
select is(app.folded(null), null, 'nothing stays nothing');

rollback to empty;

-- follow_counts: are written by no caller
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select tests.authenticate_as_guest();
select results_eq(
  $$ select follower_count, following_count from app.follow_counts where user_id = tests.id('jonas') $$, 'values (1, 0)',
  'how many follow somebody everybody may know'
);
reset role;
select is_empty($$ select tests.who_may('update app.follow_counts set follower_count = 7') $$, 'nobody sets it');
select is_empty($$ select tests.who_may('insert into app.follow_counts values (tests.id(''maya''), 7, 7)') $$, 'nobody makes it up');
select is_empty($$ select tests.who_may('delete from app.follow_counts') $$, 'nobody forgets it');
select throws_ok('update app.follow_counts set follower_count = -1', '23514', null, 'and it is never less than none');

rollback to empty;

-- follows: are changed by their follower
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
select tests.follow('lena', 'maya');

select tests.authenticate_as('maya');
update app.follows set is_muted = true;
select set_eq(
  'select follower_id, is_muted from app.follows',
  $$ values (tests.id('maya'), true), (tests.id('jonas'), false), (tests.id('lena'), false) $$, 'one mutes one''s own follow alone'
);
select throws_ok($$ update app.follows set followee_id = tests.id('lena') $$, '42501', null, 'whose it is of stays');
delete from app.follows;
select set_eq('select tests.follows()', array['jonas > maya', 'lena > maya'], 'one ends one''s own alone, not even those of oneself');
select tests.authenticate_as_guest();
select throws_ok('update app.follows set is_muted = true', '42501', null, 'a guest mutes none');
select throws_ok('delete from app.follows', '42501', null, 'and ends none');

rollback to empty;

-- follows: are made by put follow
select tests.person(name) from unnest(array['maya', 'jonas']) as name;

create function pg_temp.follow(p_follower text, p_followee text)
returns void
language sql
as $$ insert into app.follows (follower_id, followee_id) values (tests.id(p_follower), tests.id(p_followee)) $$;

select tests.authenticate_as('maya');
select throws_ok($$ select pg_temp.follow('jonas', 'maya') $$, '42501', null, 'nobody makes somebody follow them');
select throws_ok($$ select pg_temp.follow('maya', 'jonas') $$, '42501', null, 'nor follows without the event of it');

rollback to empty;

-- follows: are seen by members
select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'lena');
select tests.follow('lena', 'ann');

select tests.authenticate_as('ann');
select set_eq('select tests.follows()', array['maya > jonas', 'jonas > lena', 'lena > ann'], 'a member sees who follows whom');
select tests.authenticate_as_guest();
select throws_ok('select from app.follows', '42501', null, 'a guest does not');
reset role;

select tests.block('ann', 'jonas');
select tests.authenticate_as('ann');
select set_eq('select tests.follows()', array['lena > ann'], 'nor a member what is about somebody whom they have blocked, on either side');
select tests.authenticate_as('jonas');
select set_eq('select follower_id from app.follows', array[tests.id('maya'), tests.id('jonas')], 'nor what is about somebody who has blocked them');
select tests.authenticate_as('maya');
select set_eq('select tests.follows()', array['maya > jonas', 'jonas > lena', 'lena > ann'], 'others see it as before');

rollback to empty;

-- follows: hold to their rules
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select is(tests.violation_of($$ select tests.follow('maya', 'jonas') $$), 'follows_pkey', 'one follows somebody once');
select is(tests.violation_of($$ select tests.follow('maya', 'maya') $$), 'follows_are_of_others', 'and never oneself');
select is(tests.violation_of($$ select tests.follow('jonas', 'maya') $$), null, 'who is followed may follow back');
select ok(not is_muted, 'a follow begins unmuted') from app.follows where follower_id = tests.id('maya');
select is(created_at, app.now(), 'now') from app.follows where follower_id = tests.id('maya');

rollback to empty;

-- hub_profiles: are their owners alone
select tests.person('maya', 4);
select tests.person('jonas', 4);
insert into app.hub_profiles (user_id, display_name) values (tests.id('maya'), 'Maya of the allotments');

create function pg_temp.introduce(p_name text)
returns void
language sql
as $$ insert into app.hub_profiles (user_id, display_name) values (tests.id(p_name), 'Somebody') $$;

select tests.authenticate_as('jonas');
select is_empty('select from app.hub_profiles', 'nobody sees how others appear in Hubs');
update app.hub_profiles set display_name = 'Changed';
select lives_ok($$ select pg_temp.introduce('jonas') $$, 'one makes one''s own');
select throws_ok($$ update app.hub_profiles set user_id = tests.id('maya') $$, '42501', null, 'which stays with its person');
select throws_ok('delete from app.hub_profiles', '42501', null, 'as long as there is the account');
select tests.authenticate_as('maya');
select results_eq('select display_name from app.hub_profiles', array['Maya of the allotments'], 'and nobody else changes it');
reset role;
delete from app.hub_profiles;
select tests.authenticate_as('jonas');
select throws_ok($$ select pg_temp.introduce('maya') $$, '42501', null, 'nobody makes another''s');
select tests.authenticate_as_guest();
select throws_ok('select from app.hub_profiles', '42501', null, 'guests see none');
select throws_ok($$ select pg_temp.introduce('maya') $$, '42501', null, 'and make none');

rollback to empty;

-- hub_profiles: hold to their rules
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

rollback to empty;

-- is_reserved_handle: reads past underscores
select is_empty(
  $$
    select from unnest(array['admin', 'ad_min', '_admin_', '__opine__', 'm_e', 'o_p_i_n_e', 'www']) as handle
    where not app.is_reserved_handle(handle)
  $$,
  'a reserved handle is reserved however it is spread'
);
select is_empty(
  $$
    select from unnest(array['maya', 'administer', 'admin1', 'myadmin', 'opine_fan', 'homer', 'ad_minna']) as handle
    where app.is_reserved_handle(handle)
  $$,
  'one that only holds it is not'
);

rollback to empty;

-- last_word: is what follows the last blank
select is(app.last_word('maya van der berg'), 'berg', 'mostly a family name');
select is(app.last_word('maya'), 'maya', 'of one word it is the word');
select is(app.last_word(E'maya\tberg'), 'berg', 'whatever the blank');
select is(app.last_word('maya '), '', 'behind a blank at the end is nothing');
select is(app.last_word(null), null, 'as of nothing');

rollback to empty;

-- profiles: are changed by their owner
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('maya');
select lives_ok($$ update app.profiles set full_name = 'Changed', bio = 'New' $$, 'one changes one''s own profile');
select results_eq($$ select username collate "default" from app.profiles where full_name = 'Changed' $$, array['maya'], 'and no other''s');
select throws_ok(
  $$ update app.profiles set user_id = tests.id('jonas') $$, '42501', null, 'a profile stays with its person'
);
select tests.authenticate_as_guest();
select throws_ok($$ update app.profiles set bio = 'Guest' $$, '42501', null, 'a guest changes none');

rollback to empty;

-- profiles: are deleted by nobody
select tests.person('maya');
select tests.authenticate_as('maya');
select throws_ok('delete from app.profiles', '42501', null, 'a member deletes no profile, not even their own');
select tests.authenticate_as_guest();
select throws_ok('delete from app.profiles', '42501', null, 'nor does a guest');

rollback to empty;

-- profiles: are hidden by their blockers
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.authenticate_as('jonas');
select set_eq('select username from app.profiles', array['jonas', 'lena'], 'whoever is blocked does not see who has blocked them');
update app.profiles set bio = 'By Jonas';
select tests.authenticate_as('maya');
select set_eq('select username from app.profiles', array['maya', 'jonas', 'lena'], 'who has blocked sees whom');
select tests.authenticate_as('lena');
select set_eq('select username from app.profiles', array['maya', 'jonas', 'lena'], 'others see both');
select tests.authenticate_as_guest();
select set_eq('select username from app.profiles', array['maya', 'jonas', 'lena'], 'and so do guests');
select set_eq($$ select username from app.profiles where bio = 'By Jonas' $$, array['jonas'], 'one changes one''s own, blocked or not');

rollback to empty;

-- profiles: are made by their owner
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.authenticate_as('maya');
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('jonas'), 'jonas', 'Jonas') $$,
  '42501', 'new row violates row-level security policy for table "profiles"', 'nobody registers somebody else'
);
select lives_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('maya'), 'maya', 'Maya') $$, 'one''s own profile is one''s to make'
);
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name, created_at) values (tests.id('maya'), 'maya', 'Maya', 'epoch') $$,
  '42501', null, 'but not its date'
);
select tests.authenticate_as_guest();
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name) values (tests.id('jonas'), 'jonas', 'Jonas') $$,
  '42501', null, 'a guest makes none'
);

rollback to empty;

-- profiles: are read by everybody
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('maya');
select set_eq('select username from app.profiles', array['maya', 'jonas'], 'a member sees every profile');
select tests.authenticate_as_guest();
select set_eq('select username from app.profiles', array['maya', 'jonas'], 'and so does a guest');

rollback to empty;

-- profiles: hold to their rules
select tests.person('maya');

create function pg_temp.change(p_column text, p_value text)
returns text
language sql
return tests.violation_of(format('update app.profiles set %I = %L', p_column, p_value));

select is(pg_temp.change('username', handle), 'profiles_username_is_canonical', format('"%s" is no handle', handle))
from unnest(array['ab', repeat('a', 31), 'Maya', '@maya', 'may a', 'mäya', E'maya\n']) as handle;
select is(pg_temp.change('username', 'ab_' || repeat('1', 27)), null, 'letters, digits and underscores are, up to 30');
select is(pg_temp.change('full_name', '     '), 'profiles_full_name_length', 'spaces are no name');
select is(pg_temp.change('full_name', 'M'), 'profiles_full_name_length', 'a name has two characters at least');
select is(pg_temp.change('full_name', repeat('é', 81)), 'profiles_full_name_length', 'and 80 at most');
select is(pg_temp.change('full_name', repeat('é', 80)), null, 'characters, not bytes');
select is(pg_temp.change('full_name', 'Al'), null, 'as few as two');
select is(pg_temp.change('bio', ''), 'profiles_bio_length', 'an empty bio is none');
select is(pg_temp.change('bio', 'b'), null, 'a bio has a character');
select is(pg_temp.change('bio', repeat('é', 160)), null, '160');
select is(pg_temp.change('bio', repeat('é', 161)), 'profiles_bio_length', 'at most');

rollback to empty;

-- profiles: keep the name for searches
select tests.named('zoe', 'Zoë ÅNGSTRÖM');
select is(search_name, 'zoe angstrom', 'as it is compared') from app.profiles;
update app.profiles set full_name = 'Zoé Müller';
select is(search_name, 'zoe muller', 'and as it is now') from app.profiles;

rollback to empty;

-- profiles: share no handle
select tests.person('maya');
select tests.person('jonas');
select is(
  tests.violation_of($$ update app.profiles set username = 'maya' where user_id = tests.id('jonas') $$), 'profiles_username_key',
  'a handle is of one person'
);

rollback to empty;

-- profiles: show one photo
select tests.person('maya');
select tests.asset('photo', 'maya', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('photo');
select is(
  tests.violation_of($$ delete from app.assets $$), 'profiles_photo_asset_id_fkey', 'no photo goes as long as a profile shows it'
);
select is(
  tests.violation_of($$ update app.profiles set photo_asset_id = tests.id('nothing') $$), 'profiles_photo_asset_id_fkey', 'nor is shown where there is none'
);
select tests.authenticate_as('maya');
select throws_ok(
  $$ insert into app.profiles (user_id, username, full_name, photo_asset_id) values (tests.id('maya'), 'maya', 'Maya', tests.id('photo')) $$,
  '42501', null, 'a profile begins without one'
);

rollback to empty;

-- profiles: take no reserved handle
select tests.person('maya', 2);
select tests.person('jonas', 1);
select is(
  tests.violation_of(format('update app.profiles set username = %L', handle)), 'profiles_username_is_not_reserved', handle || ' is nobody''s'
)
from unnest(array['admin', '_ad_min_']) as handle;
select tests.authenticate_as('jonas');
select is(
  tests.violation_of($$ select api.save_profile_basics('{"termsAccepted": true, "username": "opine_support", "fullName": "Jonas", "termsVersion": "1"}') $$),
  'profiles_username_is_not_reserved', 'and nobody registers by it'
);
select is(app.level_of(tests.id('jonas')), 1, 'nothing is saved');

select * from finish();
rollback;
