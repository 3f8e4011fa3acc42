select plan(2);

select is(
  app.ids_argument('{"ids": ["01990000-0000-7000-8000-000000000002", "01990000-0000-7000-8000-000000000001"]}', 'ids', 1, 2),
  '{01990000-0000-7000-8000-000000000002,01990000-0000-7000-8000-000000000001}'::uuid[],
  'ids_argument returns the ids in their order'
);
select is_empty(
  $$
    select given.args
    from (
      values ('{}'), ('{"ids": []}'), ('{"ids": [null]}'), ('{"ids": ["no-uuid"]}'),
        ('{"ids": ["01990000-0000-7000-8000-00000000000a", "01990000-0000-7000-8000-00000000000A"]}'),
        (jsonb_build_object('ids', array(select app.uuid_v7() from generate_series(1, 3)))::text)
    ) as given (args)
    where tests.error_of(format('select app.ids_argument(%L, ''ids'', 1, 2)', given.args)) ->> 'code' is distinct from 'VALIDATION_FAILED'
  $$,
  'ids_argument refuses too few, too many, the same id twice and what is no id'
);

select * from finish();
