create table app.otp_codes (
  phone_hash bytea primary key,
  code_hash bytea,
  wrong_try_count smallint not null default 0,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz[] not null default '{}',
  constraint otp_codes_phone_hash_is_sha256 check (length(phone_hash) = 32),
  constraint otp_codes_code_hash_is_sha256 check (length(code_hash) = 32),
  constraint otp_codes_tries_are_bounded check (wrong_try_count between 0 and 3)
);
comment on table app.otp_codes is 'The newest code of each phone, both as keyed hashes.';
comment on column app.otp_codes.code_hash is 'Null once the code was used.';
comment on column app.otp_codes.sent_at is 'When the last codes were sent to this phone, the newest first: as many as the daily limit counts.';

create index otp_codes_requested_at_idx on app.otp_codes (requested_at);

alter table app.otp_codes enable row level security;
