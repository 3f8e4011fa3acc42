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
  return v_first.answer;
end
$$;
comment on function gateway.recall(jsonb, text, text) is 'The first answer to the caller''s request with this key, or null where this is the first: then the key is taken, and a second request waits on its row. Raises IDEMPOTENCY_KEY_CONFLICT where the first request was another.';

revoke all on function gateway.recall(jsonb, text, text) from public;
grant execute on function gateway.recall(jsonb, text, text) to opine_gateway;
