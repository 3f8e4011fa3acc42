create procedure gateway.invoke_then_read(p_operation text, p_claims jsonb, p_args jsonb, inout answer text, p_request_id text default null)
language plpgsql
security invoker
as $$
begin
  if pg_catalog.current_setting('transaction_isolation') <> 'serializable' then
    raise exception 'gateway.invoke_then_read needs a serializable transaction.';
  end if;
  perform gateway.invoke(p_operation, p_claims, p_args, p_request_id => p_request_id);
  commit;
  set transaction isolation level read committed, read only;
  answer := gateway.invoke(p_operation || '_answer', p_claims, p_args, p_request_id => p_request_id);
end
$$;
comment on procedure gateway.invoke_then_read(text, jsonb, jsonb, text, text) is 'One request that writes under SERIALIZABLE and answers with a read: api.<p_operation>, commit, then api.<p_operation>_answer. Inside the first transaction that read would conflict with every writer beside it. It has no SET clause, as a procedure with one cannot commit.';

revoke all on procedure gateway.invoke_then_read(text, jsonb, jsonb, text, text) from public;
grant execute on procedure gateway.invoke_then_read(text, jsonb, jsonb, text, text) to opine_serializable;
