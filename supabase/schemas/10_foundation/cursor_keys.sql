create table app.cursor_keys (
  is_singleton boolean primary key default true,
  key bytea not null default extensions.gen_random_bytes(32),
  constraint cursor_keys_is_singleton check (is_singleton)
);
comment on table app.cursor_keys is 'The random key of this database that search cursors are encrypted with (app.encode_hit). Cursors stand in URLs and access logs, and these hold names.';

alter table app.cursor_keys enable row level security;
