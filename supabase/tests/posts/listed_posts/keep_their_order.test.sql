select plan(3);

select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['a', 'b', 'c']) as name;
select tests.post('hidden', 'maya', 'private_locked_hub');
create function pg_temp.listed(variadic p_names text[])
returns jsonb
language sql
return app.listed_posts(array(select id from unnest(tests.ids(variadic p_names)) as id));

select tests.act_as_guest();
select is(
  pg_temp.listed('c', 'a', 'hidden', 'b'),
  (select jsonb_agg(card order by post_id = tests.id('b'), post_id = tests.id('a')) from app.post_cards(tests.ids('a', 'b', 'c'))), 'cards of those one sees'
);
select is(tests.listed(jsonb_build_object('items', pg_temp.listed('b', 'c', 'a'))), tests.ids('b', 'c', 'a'), 'whatever that is');
select is(app.listed_posts('{}'), '[]', 'none are none');

select * from finish();
