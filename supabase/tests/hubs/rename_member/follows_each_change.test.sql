select plan(8);

select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.names(p_hub text default 'elm')
returns setof text
language sql
as $$ select n.name collate "default" from app.member_names as n where n.hub_id = tests.id(p_hub) $$;

update app.profiles set username = 'jon' where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jonas'], 'another username');
update app.profiles set full_name = 'Jon Bo' where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jon bo', 'bo'], 'another name');
select bag_eq($$ select pg_temp.names('oak') $$, array['jon', 'jon bo', 'bo'], 'in each of their Hubs');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jo');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jo'], 'a name of their own in Hubs');
update app.profiles set full_name = 'Jon Ba' where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jo'], 'that hides another public one');
update app.hub_profiles set display_name = 'Joe';
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'joe'], 'another of those');
update app.hub_profiles set display_name = null;
select bag_eq('select pg_temp.names()', array['amara', 'maya', 'jon', 'jon ba', 'ba'], 'none any more');
delete from app.profiles where user_id = tests.id('jonas');
select bag_eq('select pg_temp.names()', array['amara', 'maya'], 'and an account that has ended is called nothing');

select * from finish();
