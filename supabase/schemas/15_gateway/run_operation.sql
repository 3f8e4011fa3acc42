create function gateway.run_operation(p_role text, p_operation text, p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_answer jsonb;
  v_schema text;
  v_table text;
  v_column text;
  v_constraint text;
begin
  perform set_config('role', p_role, true);
  begin
    execute format('select api.%I($1)', p_operation) into v_answer using p_args;
  exception when integrity_constraint_violation then
    -- The detail quotes a key or a whole row, and Postgres logs it. An error that is caught is not logged.
    get stacked diagnostics
      v_schema = schema_name, v_table = table_name, v_column = column_name, v_constraint = constraint_name;
    raise exception using
      errcode = sqlstate, message = sqlerrm,
      schema = v_schema, table = v_table, column = v_column, constraint = v_constraint;
  end;
  return v_answer;
end
$$;
comment on function gateway.run_operation(text, text, jsonb) is 'Runs an operation; the transaction stays in p_role. Args: p_role, the role to run as; p_operation, the name of a function in schema api; p_args, its argument. Returns the operation''s data. Errors: those of the operation; a constraint violation without its detail, which quotes rows.';

revoke all on function gateway.run_operation(text, text, jsonb) from public;
grant execute on function gateway.run_operation(text, text, jsonb) to opine_gateway, opine_serializable;
