create function gateway.invoke_as_service(
  p_operation text, p_claims jsonb, p_args jsonb, p_falls_back boolean default false, p_request_id text default null
)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform gateway.enter(p_claims, p_falls_back, p_request_id);
  return gateway.run_operation('opine_service', p_operation, p_args)::text;
end
$$;
comment on function gateway.invoke_as_service(text, jsonb, jsonb, boolean, text) is 'One request whose arguments the service vouches for: api.<p_operation>(p_args) as opine_service, the only role that may run it, with the claims of the caller (see gateway.enter). Raises what the operation raises.';

revoke all on function gateway.invoke_as_service(text, jsonb, jsonb, boolean, text) from public;
grant execute on function gateway.invoke_as_service(text, jsonb, jsonb, boolean, text) to opine_gateway;
