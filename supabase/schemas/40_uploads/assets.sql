create table app.assets (
  id uuid primary key references app.stored_objects (id) on delete restrict,
  owner_id uuid not null references app.users (id) on delete cascade,
  purpose app.upload_purpose not null,
  content_type text not null,
  size_bytes integer not null,
  checksum bytea not null,
  file_name text,
  width integer,
  height integer,
  blurhash text,
  created_at timestamptz not null default app.now(),
  constraint assets_checksum_is_sha256 check (length(checksum) = 32),
  constraint assets_have_both_sides check (num_nulls(width, height) in (0, 2))
);
comment on table app.assets is 'Completed uploads, which profiles and articles refer to (spec.md "Upload").';
comment on column app.assets.checksum is 'SHA-256 of the file as it was uploaded, as size_bytes is its size: an image is stored without its metadata.';

create index assets_owner_id_idx on app.assets (owner_id);

alter table app.assets enable row level security;

grant select on app.assets to anon, authenticated;
