create table app.refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references app.sessions (id) on delete cascade,
  expires_at timestamptz not null,
  replaced_at timestamptz,
  constraint refresh_tokens_hash_is_sha256 check (length(token_hash) = 32)
);
comment on table app.refresh_tokens is 'Refresh tokens by their SHA-256. Replaced ones stay until they expire, so that a late reuse is known for what it is and ends the session.';

create index refresh_tokens_session_id_idx on app.refresh_tokens (session_id);
create index refresh_tokens_expires_at_idx on app.refresh_tokens (expires_at);

alter table app.refresh_tokens enable row level security;
