select plan(4);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;

create function pg_temp.page(p_limit integer, variadic p_names text[])
returns jsonb
language sql
return app.people_page(array(select (app.now(), tests.id(name))::app.list_entry from unnest(p_names) as name), p_limit);

select tests.act_as('maya');
select is(tests.usernames(pg_temp.page(2, 'jonas', 'maya')), '{jonas,maya}', 'in the order that it is given');
select is(pg_temp.page(2, 'jonas', 'maya') ->> 'nextCursor', null, 'without a next one where nothing is left');
select is(
  pg_temp.page(1, 'jonas', 'maya') - 'items', jsonb_build_object('nextCursor', app.encode_cursor(app.now(), tests.id('jonas'))),
  'else with where it ended'
);
select is(app.people_page('{}', 2), '{"items": [], "nextCursor": null}', 'and nothing out of nothing');

select * from finish();
