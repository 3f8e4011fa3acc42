create table gateway.idempotent_answers (
  user_id uuid not null references app.users (id) on delete cascade,
  key text not null,
  fingerprint text not null,
  answer jsonb,
  created_at timestamptz not null default app.now(),
  constraint idempotent_answers_pkey primary key (user_id, key),
  constraint idempotent_answers_key_is_short check (char_length(key) between 1 and 128)
);
comment on table gateway.idempotent_answers is 'First answers to requests with an Idempotency-Key, for 24 hours, without phone numbers (gateway.without_phones). answer is null only while its request runs.';

create index idempotent_answers_created_at_idx on gateway.idempotent_answers (created_at);

alter table gateway.idempotent_answers enable row level security;
