select plan(4);

select tests.elm();
select tests.asset('face', 'jonas', 'profile_photo');
select tests.asset('hub face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('jonas');
insert into app.hub_profiles (user_id, display_name, photo_asset_id) values (tests.id('jonas'), 'Jon of the trees', tests.id('hub face'));

create function pg_temp.jonas(p_expected jsonb, p_that text)
returns text
language plpgsql
as $$
declare
  v_author jsonb;
begin
  perform tests.act_as('maya');
  v_author := tests.author('elm', 'jonas');
  perform set_config('role', 'none', true);
  return is(v_author, p_expected, p_that);
end
$$;

select pg_temp.jonas(
  jsonb_build_object(
    'userId', tests.id('jonas'), 'displayName', 'Jon of the trees', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('hub face'),
    'phoneNumber', tests.phone_of('jonas'), 'publicUsername', null, 'isAnonymous', false, 'isFormerMember', false
  ),
  'an active member by the private profile'
);
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select pg_temp.jonas(
  jsonb_build_object(
    'userId', tests.id('jonas'), 'displayName', 'Jonas', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('face'),
    'phoneNumber', null, 'publicUsername', 'jonas', 'isAnonymous', false, 'isFormerMember', true
  ),
  'a former one by the public one'
);
delete from app.profiles where user_id = tests.id('jonas');
select pg_temp.jonas(
  '{"userId": "", "displayName": "", "profilePhotoUrl": null, "phoneNumber": null, "publicUsername": null, "isAnonymous": true, "isFormerMember": true}',
  'nobody any more as nobody'
);
select tests.act_as('maya');
select is(app.discussion_author(null) -> 'isAnonymous', 'true', 'as is who is forgotten');

select * from finish();
