select plan(2);

select results_eq(
  $$
    select app.choice_argument(given.args, 'sort', 'recent', 'trending')
    from (values ('{}'::jsonb), ('{"sort": null}'), ('{"sort": "recent"}'), ('{"sort": "trending"}')) as given (args)
  $$,
  $$ values (null), (null), ('recent'), ('trending') $$,
  'choice_argument returns a choice, and null for one that is missing'
);
select is_empty(
  $$
    select given.args
    from (values ('{"sort": ""}'), ('{"sort": "Recent"}'), ('{"sort": 1}'), ('{"sort": ["recent"]}')) as given (args)
    where tests.error_of(format('select app.choice_argument(%L, ''sort'', ''recent'', ''trending'')', given.args)) ->> 'code'
      is distinct from 'VALIDATION_FAILED'
  $$,
  'choice_argument refuses what is no choice'
);

select * from finish();
