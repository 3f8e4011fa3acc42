select plan(12);

select tests.elm();
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'manager');
select tests.hub('oak', 'lena');
select tests.asset(name || '''s', name, 'hub_photo') from unnest(array['amara', 'maya', 'ann', 'jonas', 'lena']) as name;
select tests.asset('face', 'amara', 'profile_photo');

create function pg_temp.refusal_of(p_caller text, p_photo text)
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.put_hub_photo(tests.id(%L), tests.id(%L))', 'elm', p_photo)) $$;

create function pg_temp.photo()
returns uuid
language sql
as $$ select h.photo_asset_id from app.hubs as h where h.name = 'elm' $$;

select is(pg_temp.refusal_of('amara', 'amara''s'), null, 'an admin gives the Hub a photo');
select is(pg_temp.photo(), tests.id('amara''s'), 'and there it is');
select is(pg_temp.refusal_of('maya', 'amara''s'), null, 'another one may leave it');
select is(pg_temp.refusal_of('amara', 'face'), 'PT422 VALIDATION_FAILED', 'no photo that is for something else');
select is(pg_temp.refusal_of('amara', 'maya''s'), 'PT422 VALIDATION_FAILED', 'nor one of somebody else');
select is(pg_temp.refusal_of(name, name || '''s'), 'PT403 FORBIDDEN', 'no admin, no photo: ' || name) from unnest(array['ann', 'jonas', 'lena']) as name;
select is(pg_temp.photo(), tests.id('amara''s'), 'it stays');
select is(pg_temp.refusal_of('maya', null), null, 'an admin removes it');
select is(pg_temp.photo(), null, 'whoever gave it');
select set_eq($$ select tests.who_may('select app.put_hub_photo(null, null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
