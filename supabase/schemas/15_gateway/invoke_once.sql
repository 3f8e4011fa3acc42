create function gateway.invoke_once(
  p_operation text, p_claims jsonb, p_args jsonb, p_key text, p_fingerprint text, p_as_service boolean default false,
  p_photos_url text default null, p_request_id text default null, out answer text, out is_replayed boolean
)
returns record
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_answer jsonb;
begin
  if gateway.enter(p_claims, false, p_request_id) = 'anon' then
    raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
  end if;
  v_answer := gateway.recall(p_claims, p_key, p_fingerprint);
  is_replayed := v_answer is not null;
  if not is_replayed then
    v_answer := (case
      when p_as_service then gateway.invoke_as_service(p_operation, p_claims, p_args, p_request_id => p_request_id)
      else gateway.invoke(p_operation, p_claims, p_args, p_photos_url => p_photos_url, p_request_id => p_request_id)
    end)::jsonb;
    perform set_config('role', 'none', true);
    perform gateway.remember(p_claims, p_key, v_answer);
  end if;
  answer := v_answer::text;
end
$$;
comment on function gateway.invoke_once(text, jsonb, jsonb, text, text, boolean, text, text) is 'gateway.invoke, or gateway.invoke_as_service, for a request with an Idempotency-Key: the same key, caller and p_fingerprint (of operation and arguments) replay the first answer (contract.md 1). Raises IDEMPOTENCY_KEY_CONFLICT as well.';

revoke all on function gateway.invoke_once(text, jsonb, jsonb, text, text, boolean, text, text) from public;
grant execute on function gateway.invoke_once(text, jsonb, jsonb, text, text, boolean, text, text) to opine_gateway;
