create function gateway.invoke_as_staff(p_operation text, p_token_hash text, p_policy jsonb, p_args jsonb)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_email text := gateway.staff_email(p_token_hash, p_policy);
  v_answer jsonb;
begin
  if v_email is null then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('role', 'opine_staff', 'email', v_email)::text, true);
  perform set_config('role', 'opine_staff', true);
  execute format('select api.%I($1)', p_operation)
    into v_answer using p_args || jsonb_build_object('staffTokenHash', p_token_hash);
  return v_answer;
end
$$;
comment on function gateway.invoke_as_staff(text, text, jsonb, jsonb) is 'One request of staff: api.<p_operation>(p_args and staffTokenHash) as opine_staff, with the e-mail in the claims. Raises UNAUTHORIZED without a live staff session, and what the operation raises.';

revoke all on function gateway.invoke_as_staff(text, text, jsonb, jsonb) from public;
grant execute on function gateway.invoke_as_staff(text, text, jsonb, jsonb) to opine_gateway;
