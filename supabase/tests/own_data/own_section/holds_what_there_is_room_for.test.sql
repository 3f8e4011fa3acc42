select plan(4);

select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
update app.posts set created_at = app.now() + interval '1 second' where id = tests.id('two');
select tests.act_as('maya');
create temporary table whole as select * from app.own_section('own_posts', 1000000);
select is(is_whole, true, 'all of it where it fits') from whole;
select results_eq(
  $$ select size, jsonb_array_length(items) from whole $$,
  $$ select sum(octet_length(item::text))::integer, 3 from whole, jsonb_array_elements(items) as item $$, 'and how much that is'
);
select results_eq(
  $$ select items, is_whole from app.own_section('own_posts', (select octet_length((items -> 0)::text) from whole)) $$,
  $$ select jsonb_build_array(items -> 0), false from whole where items #>> '{0,id}' = tests.id('two')::text $$, 'else the newest'
);
select results_eq(
  $$ select items, size, is_whole from app.own_section('own_posts', 1) $$, $$ values ('[]'::jsonb, 0, false) $$, 'or none'
);

select * from finish();
