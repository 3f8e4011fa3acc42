create function gateway.invoke_as_staff(
  p_operation text, p_token_hash text, p_policy jsonb, p_args jsonb, p_request_id text default null
)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_member record := gateway.staff_member(p_token_hash, p_policy);
begin
  perform gateway.show_request(p_request_id);
  if v_member.role is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('role', v_member.role, 'email', v_member.email)::text, true);
  -- The login itself looks up no names in schema api.
  perform set_config('role', v_member.role, true);
  if not has_function_privilege(format('api.%I(jsonb)', p_operation), 'execute') then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  perform set_config('role', 'none', true);
  return gateway.run_operation(v_member.role, p_operation, p_args || jsonb_build_object('staffTokenHash', p_token_hash))::text;
end
$$;
comment on function gateway.invoke_as_staff(text, text, jsonb, jsonb, text) is 'One request of staff: api.<p_operation>(p_args and staffTokenHash) as the caller''s role of staff, with the e-mail in the claims. Raises UNAUTHORIZED without a live staff session, FORBIDDEN where the role may not, and what the operation raises.';

revoke all on function gateway.invoke_as_staff(text, text, jsonb, jsonb, text) from public;
grant execute on function gateway.invoke_as_staff(text, text, jsonb, jsonb, text) to opine_gateway;
