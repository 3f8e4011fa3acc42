create function gateway.identify(p_operation text, p_claims jsonb, p_args jsonb)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_answer jsonb;
begin
  perform gateway.enter(p_claims, true);
  perform set_config('role', 'opine_identity', true);
  execute format('select api.%I($1)', p_operation) into v_answer using p_args;
  return v_answer;
end
$$;
comment on function gateway.identify(text, jsonb, jsonb) is 'One request that exchanges a proof for a session: api.<p_operation>(p_args) as opine_identity, the only role that may run it. p_claims: a session to merge, or null.';

revoke all on function gateway.identify(text, jsonb, jsonb) from public;
grant execute on function gateway.identify(text, jsonb, jsonb) to opine_gateway;
