create table app.device_tokens (
  token_hash bytea primary key,
  user_id uuid not null references app.users (id) on delete cascade,
  session_id uuid references app.sessions (id) on delete cascade,
  platform app.device_platform not null,
  sealed_token bytea not null,
  refreshed_at timestamptz not null default app.now(),
  constraint device_tokens_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint device_tokens_sealed_token_length check (length(sealed_token) between 28 and 20000)
);
comment on table app.device_tokens is 'Where push messages go (spec.md "Device token"). A token is known by its SHA-256, and kept sealed by a key that the database does not have.';
comment on column app.device_tokens.session_id is 'The session that registered it, and with whose end it goes. Null where a merge has moved it, until the sign-in that merges takes it over.';

create index device_tokens_user_id_refreshed_at_idx on app.device_tokens (user_id, refreshed_at);
create index device_tokens_session_id_idx on app.device_tokens (session_id);
create index device_tokens_refreshed_at_idx on app.device_tokens (refreshed_at);

alter table app.device_tokens enable row level security;

create policy device_tokens_select on app.device_tokens for select to authenticated
using (user_id = (select app.user_id()));

create policy device_tokens_delete on app.device_tokens for delete to authenticated
using (user_id = (select app.user_id()));

grant select (token_hash, user_id, session_id, platform, refreshed_at) on app.device_tokens to authenticated;
grant delete on app.device_tokens to authenticated;
