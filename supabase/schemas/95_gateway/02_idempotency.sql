-- No column can hold contents: a replay reads anew what the ids name (app.replay_answer). An invite token is
-- shown once and stored nowhere else, so it stays here as the service sealed it.
create table gateway.idempotent_answers (
  user_id uuid not null references app.users (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  created_ids uuid[] not null default '{}',
  sealed_tokens text[] not null default '{}',
  created_at timestamptz not null default app.now(),
  constraint idempotent_answers_pkey primary key (user_id, key),
  constraint idempotent_answers_key_is_short check (char_length(key) between 1 and 128)
);
comment on table gateway.idempotent_answers is
  'One row per Idempotency-Key of a user: what its request created, for 24 hours (docs/product.md W17, W18).';
comment on column gateway.idempotent_answers.fingerprint is 'SHA-256 of the operation and the arguments.';
comment on column gateway.idempotent_answers.created_ids is
  'The ids in the first answer of what the request created; null in it for an item that was not created.';
comment on column gateway.idempotent_answers.sealed_tokens is 'The invite tokens of the first answer, sealed.';
create index idempotent_answers_created_at_idx on gateway.idempotent_answers (created_at);
alter table gateway.idempotent_answers enable row level security;

-- Claims an Idempotency-Key of the caller, whose claims are set.
--
-- A request concurrent with the first one waits for its row. Args: p_claims; p_key; p_fingerprint (of the
-- request). Returns whether an earlier request used the key, and what that created. Errors:
-- IDEMPOTENCY_KEY_CONFLICT (a key of another request).
create function gateway.claim_idempotency_key(
  p_claims jsonb, p_key text, p_fingerprint text,
  out is_replayed boolean, out created_ids uuid[], out sealed_tokens text[]
) returns record
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := (p_claims ->> 'sub')::uuid;
  v_first gateway.idempotent_answers;
begin
  insert into gateway.idempotent_answers as first (user_id, key, fingerprint)
  values (v_user_id, p_key, p_fingerprint)
  on conflict (user_id, key) do update
    set fingerprint = excluded.fingerprint, created_ids = default, sealed_tokens = default,
      created_at = excluded.created_at
    where first.created_at <= gateway.replay_horizon();
  is_replayed := not found;
  if is_replayed then
    select * into strict v_first
    from gateway.idempotent_answers as first
    where first.user_id = v_user_id and first.key = p_key;
    if v_first.fingerprint <> p_fingerprint then
      raise exception using errcode = 'PT409', message = 'IDEMPOTENCY_KEY_CONFLICT';
    end if;
    created_ids := v_first.created_ids;
    sealed_tokens := v_first.sealed_tokens;
  end if;
end
$$;
comment on function gateway.claim_idempotency_key is
  'Claims an Idempotency-Key for a request, or returns what its first request created (docs/product.md W17).';
grant execute on function gateway.claim_idempotency_key to opine_gateway;

create function gateway.replay_horizon() returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return app.now() - interval '24 hours';
end
$$;
comment on function gateway.replay_horizon is
  'Returns the time at or before which a first answer is too old to be replayed (docs/product.md W17).';

-- Remembers what a first request (gateway.claim_idempotency_key) created. Args: p_claims; p_key; p_answer (of
-- the operation).
create function gateway.remember(p_claims jsonb, p_key text, p_answer jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update gateway.idempotent_answers
  set
    created_ids = gateway.texts_at(
      p_answer, '$.id', '$.uploadId', '$.assetId', '$.reportId', '$.hubId', '$.items[*].id',
      '$.hubs[*] ? (@.created == true).hubId'
    )::uuid[],
    sealed_tokens = gateway.texts_at(p_answer, '$.sealedToken', '$.items[*].sealedToken')
  where user_id = (p_claims ->> 'sub')::uuid and key = p_key;
end
$$;
comment on function gateway.remember is 'Stores the ids and sealed tokens of a first answer, and nothing else of it.';
grant execute on function gateway.remember to opine_gateway;

create function gateway.texts_at(p_json jsonb, variadic p_paths jsonpath[]) returns text[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(
    select item.value #>> '{}'
    from unnest(p_paths) with ordinality as given (path, place)
    cross join lateral jsonb_path_query(p_json, given.path) with ordinality as item (value, place)
    order by given.place, item.place
  );
end
$$;
comment on function gateway.texts_at is 'Returns what stands in p_json at these paths, in their order, as texts.';

create function gateway.prune_idempotent_answers() returns void
language sql security definer set search_path = ''
begin atomic
  delete from gateway.idempotent_answers where created_at <= gateway.replay_horizon();
end;
comment on function gateway.prune_idempotent_answers is 'Upkeep: deletes answers that are too old to be replayed.';
grant execute on function gateway.prune_idempotent_answers to opine_worker;

create function gateway.delete_answers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from gateway.idempotent_answers as a where a.user_id = new.id;
  return null;
end
$$;
comment on function gateway.delete_answers is
  'Trigger: deletes the recorded answers of an ended account, each time that app.erase_person runs.';

create trigger users_delete_answers_after_update after update of ended_at on app.users
for each row when (new.ended_at is not null)
execute function gateway.delete_answers();
