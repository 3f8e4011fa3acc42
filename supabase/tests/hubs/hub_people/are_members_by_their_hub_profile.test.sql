select plan(5);

select tests.elm();
select tests.asset('public face', 'jonas', 'profile_photo');
select tests.asset('hub face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('public face') where user_id = tests.id('jonas');

create function pg_temp.maya()
returns setof app.hub_person
language sql
as $$ select person.* from app.hub_people(tests.id('elm'), tests.ids('jonas')) as person $$;

select tests.act_as('maya');
select results_eq(
  'select * from pg_temp.maya()', $$ values (tests.id('jonas'), 'Jonas', null::uuid, 'jonas', tests.phone_of('jonas'), 'member'::app.hub_role, app.now()) $$,
  'until there is one, by the public name, without the public photo'
);
reset role;
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('hub face'));
select tests.act_as('maya');
select results_eq(
  'select display_name, photo_asset_id from pg_temp.maya()', $$ values ('Jonas', tests.id('hub face')) $$, 'a private photo may come first'
);
reset role;
update app.hub_profiles set display_name = 'Jon of the trees';
select tests.act_as('maya');
select results_eq(
  'select display_name, photo_asset_id from pg_temp.maya()', $$ values ('Jon of the trees', tests.id('hub face')) $$, 'then both are the private ones'
);
reset role;
select tests.hub('ash', 'jonas');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
select tests.act_as('maya');
select results_eq(
  'select * from pg_temp.maya()', $$ values (tests.id('jonas'), 'Jonas', tests.id('public face'), 'jonas', null::text, null::app.hub_role, null::timestamptz) $$,
  'who has left is shown by the public profile and without a phone'
);
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.act_as('maya');
select is_empty('select * from pg_temp.maya()', 'whose account has ended is nobody');

select * from finish();
