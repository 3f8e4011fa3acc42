select plan(2);

select results_eq(
  $$
    select app.items_argument(given.args, 'items', 0, 2)
    from (values ('{}'::jsonb), ('{"items": null}'), ('{"items": [1, "a"]}')) as given (args)
  $$,
  $$ values ('[]'::jsonb), ('[]'), ('[1, "a"]') $$,
  'items_argument returns an array of up to 2 items, and an empty one for one that is missing'
);
select is_empty(
  $$
    select given.args
    from (values ('{"items": [1, 2, 3]}'), ('{"items": {}}'), ('{"items": "a"}')) as given (args)
    where tests.error_of(format('select app.items_argument(%L, ''items'', 0, 2)', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'items_argument refuses an array of 3 items and any other type'
);

select * from finish();
