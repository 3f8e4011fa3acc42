create function gateway.invoke(p_operation text, p_claims jsonb, p_args jsonb, p_falls_back boolean default false)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_answer jsonb;
begin
  perform gateway.enter(p_claims, p_falls_back);
  execute format('select api.%I($1)', p_operation) into v_answer using p_args;
  return v_answer;
end
$$;
comment on function gateway.invoke(text, jsonb, jsonb, boolean) is 'One request: api.<p_operation>(p_args) as the caller of p_claims (see gateway.enter). Answers its data as JSON text. Raises what the operation raises.';

revoke all on function gateway.invoke(text, jsonb, jsonb, boolean) from public;
grant execute on function gateway.invoke(text, jsonb, jsonb, boolean) to opine_gateway, opine_serializable;
