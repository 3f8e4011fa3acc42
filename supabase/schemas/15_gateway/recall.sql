create function gateway.recall(p_claims jsonb, p_key text, p_fingerprint text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := (p_claims ->> 'sub')::uuid;
  v_first gateway.idempotent_answers;
begin
  insert into gateway.idempotent_answers as first (user_id, key, fingerprint)
  values (v_user_id, p_key, p_fingerprint)
  on conflict (user_id, key) do update
    set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
    where first.created_at <= gateway.replay_horizon();
  if found then
    return null;
  end if;
  select * into strict v_first
  from gateway.idempotent_answers as first
  where first.user_id = v_user_id and first.key = p_key;
  if v_first.fingerprint <> p_fingerprint then
    raise exception using errcode = 'PT409', message = 'IDEMPOTENCY_KEY_CONFLICT';
  end if;
  return gateway.with_phones(v_first.answer);
end
$$;
comment on function gateway.recall(jsonb, text, text) is 'Takes an Idempotency-Key of the caller, whose claims are set. Args: p_claims; p_key; p_fingerprint of the request. Returns the first answer with the phone numbers that the caller may see now, or null for a new key: a second request then waits on its row. Errors: IDEMPOTENCY_KEY_CONFLICT for a key of another request.';

revoke all on function gateway.recall(jsonb, text, text) from public;
grant execute on function gateway.recall(jsonb, text, text) to opine_gateway;
