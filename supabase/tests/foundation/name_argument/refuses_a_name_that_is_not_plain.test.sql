select plan(2);

select is(app.name_argument('{"name": "Amara Okafor"}', 'name'), 'Amara Okafor', 'name_argument returns a plain name');
select is_empty(
  $$
    select given.args
    from (values ('{"name": "\u200b\u200b"}'), ('{"name": "Ma\nya"}'), ('{"name": "Ma\u202eya"}'), ('{"name": 1}')) as given (args)
    where tests.error_of(format('select app.name_argument(%L, ''name'')', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'name_argument refuses an invisible name, a line end, a direction control and any other type'
);

select * from finish();
