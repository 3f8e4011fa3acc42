select plan(2);

-- A procedure with a SET clause cannot commit, and this one does.
select set_eq(
  $$ select signature from tests.our_functions where settings is null or not settings @> array['search_path=""'] $$,
  array['gateway.invoke_then_read(text,jsonb,jsonb,text,text)'],
  'every function has an empty search_path but the procedure that commits'
);
select is_empty(
  $$ select signature from tests.our_functions where is_definer and (settings is null or not settings @> array['search_path=""']) $$,
  'no function that runs as its owner searches a path'
);

select * from finish();
