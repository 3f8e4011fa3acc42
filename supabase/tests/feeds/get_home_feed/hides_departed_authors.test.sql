select plan(3);

select tests.person('maya', 3);
select tests.person('jonas', 2);
select tests.post('trams', 'maya');
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.departures (user_id) values (tests.id('maya'));

create function pg_temp.feed()
returns jsonb
language sql
return jsonb_path_query_array(api.get_home_feed('{}'), '$.items[*].thoughtText');

select tests.act_as_guest();
select is(pg_temp.feed(), '[]', 'whoever reads a departed author sees nothing of theirs');
select tests.act_as('jonas');
select is(pg_temp.feed(), '[]', 'members neither');
reset role;
delete from app.departures;
select tests.act_as('jonas');
select is(pg_temp.feed(), '["trams"]', 'it is the departure that hides it');

select * from finish();
