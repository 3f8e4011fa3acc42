create table gateway.idempotent_answers (
  user_id uuid not null references app.users (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  answer jsonb,
  created_at timestamptz not null default app.now(),
  constraint idempotent_answers_pkey primary key (user_id, key),
  constraint idempotent_answers_key_is_short check (char_length(key) between 1 and 128)
);
comment on table gateway.idempotent_answers is 'One row per Idempotency-Key of a user: the first answer, for 24 hours, without phone numbers (gateway.without_phones). answer is null only while its request runs.';
create index idempotent_answers_created_at_idx on gateway.idempotent_answers (created_at);
alter table gateway.idempotent_answers enable row level security;

create function gateway.recall(p_claims jsonb, p_key text, p_fingerprint text) returns jsonb
language plpgsql security definer set search_path = '' as $$
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
comment on function gateway.recall is 'Claims an Idempotency-Key of the caller, whose claims are set. Args: p_claims; p_key; p_fingerprint (of the request). Returns the first answer with the phone numbers that the caller may see now, or null for a new key: a concurrent request then waits for its row. Errors: IDEMPOTENCY_KEY_CONFLICT (a key of another request).';
grant execute on function gateway.recall to opine_gateway;

create function gateway.replay_horizon() returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return app.now() - interval '24 hours';
end
$$;
comment on function gateway.replay_horizon is 'Returns the time at or before which a first answer is too old to be replayed (docs/product.md W17).';

create function gateway.with_phones(p_answer jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return case
    -- A post card.
    when p_answer ? 'authorPhoneNumber' then
      p_answer - 'authorPhoneNumber' || app.author_phone((p_answer ->> 'id')::uuid)
    -- A discussion message.
    when p_answer #> '{author,phoneNumber}' is not null then
      jsonb_set(p_answer, '{author,phoneNumber}', coalesce((
        select to_jsonb(author.phone_number)
        from app.discussions as d
        cross join app.hub_people(d.hub_id, array[(p_answer #>> '{author,userId}')::uuid]) as author
        where d.id = (p_answer ->> 'discussionId')::uuid
      ), 'null'))
    else p_answer
  end;
end
$$;
comment on function gateway.with_phones is 'Restores the phone numbers that gateway.without_phones removed, as far as the caller may see them now (docs/product.md W18). Args: p_answer (stored). Returns the answer to replay.';

create function gateway.without_phones(p_answer jsonb) returns jsonb
language sql immutable set search_path = ''
-- A quote inside a JSON string is escaped, so the pattern matches keys only.
return regexp_replace(p_answer::text, '"(\w*phoneNumber)": "[^"]*"', '"\1": null', 'gi')::jsonb;
comment on function gateway.without_phones is 'Removes phone numbers from an answer (docs/product.md W18). Returns p_answer with null in each field whose name ends in phoneNumber, at any depth.';

create function gateway.remember(p_claims jsonb, p_key text, p_answer jsonb) returns void
language sql security definer set search_path = ''
begin atomic
  update gateway.idempotent_answers
  set answer = gateway.without_phones(p_answer)
  where user_id = (p_claims ->> 'sub')::uuid and key = p_key;
end;
comment on function gateway.remember is 'Stores the answer of a first request (gateway.recall) without phone numbers. Args: p_claims; p_key; p_answer.';
grant execute on function gateway.remember to opine_gateway;

create function gateway.prune_idempotent_answers() returns void
language sql security definer set search_path = ''
begin atomic
  delete from gateway.idempotent_answers where created_at <= gateway.replay_horizon();
end;
comment on function gateway.prune_idempotent_answers is 'Upkeep: deletes answers that are too old to be replayed.';
grant execute on function gateway.prune_idempotent_answers to opine_worker;
