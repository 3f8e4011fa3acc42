select plan(1);

select is_empty(
  $$
    select f.signature
    from tests.our_functions as f
    join pg_proc as p on p.oid = f.oid
    where f.schema = 'api'
      and (pg_get_function_arguments(p.oid) <> 'p_args jsonb' or p.prorettype <> 'jsonb'::regtype or p.proretset)
  $$,
  'an operation is api.<operation_id>(p_args jsonb) returns jsonb'
);

select * from finish();
