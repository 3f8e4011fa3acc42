select plan(2);

select lives_ok($$ select app.require_arguments('{"a": false, "b": ""}', 'a', 'b') $$, 'require_arguments takes any value');
select results_eq(
  $$
    select tests.error_of(format('select app.require_arguments(%L, ''a'', ''b'')', given.args)) #> '{details,issues,0,path}'
    from (values ('{"a": 1}'), ('{"a": null, "b": 1}'), ('{}')) as given (args)
  $$,
  $$ values ('["b"]'::jsonb), ('["a"]'), ('["a"]') $$,
  'require_arguments names the first argument that is missing or null'
);

select * from finish();
