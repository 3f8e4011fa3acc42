create procedure gateway.invoke_then_read(p_operation text, p_claims jsonb, p_args jsonb, inout answer text, p_request_id text default null)
language plpgsql
security invoker
as $$
declare
  v_result jsonb;
begin
  if pg_catalog.current_setting('transaction_isolation') <> 'serializable' then
    raise exception 'gateway.invoke_then_read needs a serializable transaction.';
  end if;
  v_result := gateway.invoke(p_operation, p_claims, p_args, p_request_id => p_request_id)::pg_catalog.jsonb;
  commit;
  set transaction isolation level read committed;
  -- What is committed cannot be tried again, so it waits for locks as long as the statement may run.
  set local lock_timeout = 0;
  answer := gateway.invoke(p_operation || '_answer', p_claims, p_args || v_result, p_request_id => p_request_id);
end
$$;
comment on procedure gateway.invoke_then_read(text, jsonb, jsonb, text, text) is 'One request that writes under SERIALIZABLE and answers from a second transaction: api.<p_operation>, commit, then api.<p_operation>_answer with the arguments and the result of the first. In the first transaction that read would conflict with every concurrent writer. It has no SET clause, because a procedure with one cannot commit.';

revoke all on procedure gateway.invoke_then_read(text, jsonb, jsonb, text, text) from public;
grant execute on procedure gateway.invoke_then_read(text, jsonb, jsonb, text, text) to opine_serializable;
