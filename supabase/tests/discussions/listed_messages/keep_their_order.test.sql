select plan(6);

select tests.elm();
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.message(n::text, 'jonas', n || ' in elm') from generate_series(1, 6) as n;
select tests.without_indexes();

create function pg_temp.entries(p_ids uuid[])
returns app.list_entry[]
language sql
return array(select (null, id)::app.list_entry from unnest(p_ids) as id);

create function pg_temp.messages(variadic p_names text[])
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.listed_messages(
  tests.id('elm'), array(select m from unnest(tests.ids(variadic p_names)) with ordinality as named (id, place) join app.messages as m using (id) order by named.place)
)));

create function pg_temp.discussions(variadic p_names text[])
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.listed_discussions(tests.id('elm'), pg_temp.entries(tests.ids(variadic p_names)))));

select tests.act_as('maya');
select is(pg_temp.messages('3', '1', '6', '2'), tests.ids('3', '1', '6', '2'), 'as they are given');
select is(pg_temp.messages('2', '6', '1', '3', 'unknown'), tests.ids('2', '6', '1', '3'), 'whatever that is');
select is(pg_temp.discussions('3 in elm', '1 in elm', '6 in elm'), tests.ids('3 in elm', '1 in elm', '6 in elm'), 'as do discussions');
select is(pg_temp.discussions('6 in elm', '1 in elm', '3 in elm'), tests.ids('6 in elm', '1 in elm', '3 in elm'), 'of the same Hub');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.act_as('maya');
select is(pg_temp.messages('3', '1'), tests.ids('3', '1'), 'also those of nobody any more');
select is(pg_temp.discussions('3 in elm', '1 in elm'), tests.ids('3 in elm', '1 in elm'), 'of both kinds');

select * from finish();
