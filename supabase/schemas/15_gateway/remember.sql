create function gateway.remember(p_claims jsonb, p_key text, p_answer jsonb)
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  update gateway.idempotent_answers
  set answer = gateway.without_phones(p_answer)
  where user_id = (p_claims ->> 'sub')::uuid and key = p_key;
end;
comment on function gateway.remember(jsonb, text, jsonb) is 'Stores the answer of a first request (see gateway.recall) without phone numbers. Args: p_claims, p_key, p_answer.';

revoke all on function gateway.remember(jsonb, text, jsonb) from public;
grant execute on function gateway.remember(jsonb, text, jsonb) to opine_gateway;
