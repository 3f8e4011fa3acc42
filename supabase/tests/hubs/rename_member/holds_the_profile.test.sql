select plan(3);

-- Without names in the Hub, for which their profiles would have been held.
set local session_replication_role = replica;
select tests.elm();
insert into app.hub_profiles (user_id) values (tests.id('jonas'));
insert into app.member_names (hub_id, name, user_id) values (tests.id('elm'), 'jo', tests.id('jonas')), (tests.id('elm'), 'jonas', tests.id('jonas'));
set local session_replication_role = origin;

create function pg_temp.held()
returns setof uuid
language sql
as $$ select p.user_id from app.profiles as p where p.xmax::text <> '0' $$;

select is_empty('select pg_temp.held()', 'no profile is held');
update app.hub_profiles set display_name = 'Jo';
select set_eq(
  'select pg_temp.held()', array[tests.id('jonas')], 'whoever is called otherwise in Hubs waits for whom makes them a member, or those for them'
);
select set_eq($$ select user_id from app.memberships where xmax::text <> '0' $$, array[tests.id('jonas')], 'and so does whom removes them');

select * from finish();
