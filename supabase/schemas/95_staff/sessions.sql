create table staff.sessions (
  token_hash bytea primary key,
  email text not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  constraint sessions_token_hash_is_sha256 check (length(token_hash) = 32)
);
comment on table staff.sessions is 'Live staff sessions, by the SHA-256 of their cookie''s token.';

create index sessions_expires_at_idx on staff.sessions (expires_at);

alter table staff.sessions enable row level security;
