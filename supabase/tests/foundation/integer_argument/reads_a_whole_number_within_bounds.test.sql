select plan(2);

select results_eq(
  $$
    select app.integer_argument(given.args, 'days', 1, 30)
    from (values ('{}'::jsonb), ('{"days": null}'), ('{"days": 1}'), ('{"days": 30.0}')) as given (args)
  $$,
  $$ values (null::integer), (null), (1), (30) $$,
  'integer_argument returns a whole number from 1 to 30, and null for one that is missing'
);
select is_empty(
  $$
    select given.args
    from (values ('{"days": 0}'), ('{"days": -5}'), ('{"days": 31}'), ('{"days": 1e300}'), ('{"days": 1.5}'), ('{"days": "7"}')) as given (args)
    where tests.error_of(format('select app.integer_argument(%L, ''days'', 1, 30)', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'integer_argument refuses a number out of bounds, a fraction and any other type'
);

select * from finish();
