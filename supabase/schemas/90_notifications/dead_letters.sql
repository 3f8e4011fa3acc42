create table app.dead_letters (
  id uuid primary key default app.uuid_v7(),
  notification_id uuid not null references app.notifications (id) on delete cascade,
  token_hash bytea,
  is_of_stream boolean not null generated always as (token_hash is null) stored,
  attempt_count integer not null,
  failure text not null,
  died_at timestamptz not null default app.now(),
  constraint dead_letters_failure_length check (char_length(failure) between 1 and 200)
);
comment on table app.dead_letters is 'What could not be sent however often it was tried, for staff to see and to requeue (staff.dead_letters).';
comment on column app.dead_letters.token_hash is 'The device; null for the stream.';
comment on column app.dead_letters.failure is 'The code of the last failure.';

create unique index dead_letters_notification_id_token_hash_key on app.dead_letters (notification_id, token_hash) nulls not distinct;
create index dead_letters_died_at_idx on app.dead_letters (died_at, id);

alter table app.dead_letters enable row level security;
