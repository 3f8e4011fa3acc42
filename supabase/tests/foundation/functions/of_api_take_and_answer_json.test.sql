select plan(1);

select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where f.schema = 'api'
      and (pg_get_function_arguments(p.oid) <> 'jsonb' or p.prorettype <> 'jsonb'::regtype or p.proretset)
  $$,
  'an operation takes one unnamed jsonb, as the Data API passes a body, and returns jsonb'
);

select * from finish();
