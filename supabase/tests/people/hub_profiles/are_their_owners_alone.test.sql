select plan(8);

select tests.person('maya', 4);
select tests.person('jonas', 4);
insert into app.hub_profiles (user_id, display_name) values (tests.id('maya'), 'Maya of the allotments');

create function pg_temp.introduce(p_name text)
returns void
language sql
as $$ insert into app.hub_profiles (user_id, display_name) values (tests.id(p_name), 'Somebody') $$;

select tests.act_as('jonas');
select is_empty('select from app.hub_profiles', 'nobody sees how others appear in Hubs');
update app.hub_profiles set display_name = 'Changed';
select lives_ok($$ select pg_temp.introduce('jonas') $$, 'one makes one''s own');
select throws_ok($$ update app.hub_profiles set user_id = tests.id('maya') $$, '42501', null, 'which stays with its person');
select throws_ok('delete from app.hub_profiles', '42501', null, 'as long as there is the account');
select tests.act_as('maya');
select results_eq('select display_name from app.hub_profiles', array['Maya of the allotments'], 'and nobody else changes it');
reset role;
delete from app.hub_profiles;
select tests.act_as('jonas');
select throws_ok($$ select pg_temp.introduce('maya') $$, '42501', null, 'nobody makes another''s');
select tests.act_as_guest();
select throws_ok('select from app.hub_profiles', '42501', null, 'guests see none');
select throws_ok($$ select pg_temp.introduce('maya') $$, '42501', null, 'and make none');

select * from finish();
