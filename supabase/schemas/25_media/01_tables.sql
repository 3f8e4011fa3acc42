create type app.upload_purpose as enum ('profile_photo', 'hub_photo', 'post_image', 'document');
comment on type app.upload_purpose is 'The use of an uploaded file (docs/product.md M3).';

-- The row is inserted before the object is stored and deleted after the object, so that no object in storage
-- is ever lost track of.
create table app.stored_objects (
  id uuid primary key default app.uuid_v7(),
  owner_id uuid not null references app.users (id) on delete restrict,
  bucket text not null,
  expires_at timestamptz,
  attempt_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint stored_objects_bucket_is_known check (bucket in ('photos', 'media'))
);
comment on table app.stored_objects is 'One row per object in the buckets photos and media; the id is its key.';
comment on column app.stored_objects.expires_at is
  'Time when the worker removes the object, or retries after a failure; null while it is an asset.';
create index stored_objects_owner_id_idx on app.stored_objects (owner_id);
create index stored_objects_expires_at_idx on app.stored_objects (expires_at) where expires_at is not null;
alter table app.stored_objects enable row level security;

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
  has_thumbnail boolean not null default false,
  is_evidence_only boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint assets_checksum_is_sha256 check (length(checksum) = 32),
  constraint assets_have_both_sides check (num_nulls(width, height) in (0, 2))
);
comment on table app.assets is
  'One row per completed upload, to which profiles, Hubs, articles, comments and messages refer (docs/product.md M4).';
comment on column app.assets.checksum is
  'SHA-256 of the file as uploaded. size_bytes is also that of the upload, because an image is stored without its '
  'metadata.';
comment on column app.assets.has_thumbnail is 'Whether the bucket also holds a thumbnail (docs/product.md M12).';
comment on column app.assets.is_evidence_only is
  'Whether nothing refers to the asset but evidence of a report: nobody but staff sees it, as if it was deleted.';
create index assets_owner_id_idx on app.assets (owner_id);
alter table app.assets enable row level security;
grant select on app.assets to anon, authenticated;

-- Its file is in the bucket uploads, by the id as key, until the intent is completed or expires.
create table app.uploads (
  id uuid primary key default app.uuid_v7(),
  owner_id uuid not null references app.users (id) on delete cascade,
  purpose app.upload_purpose not null,
  content_type text not null,
  size_bytes integer not null,
  file_name text,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null default app.now() + interval '15 minutes',
  asset_id uuid references app.assets (id) on delete cascade,
  constraint uploads_asset_id_key unique (asset_id),
  constraint uploads_content_type_fits check (
    case purpose
      when 'document' then content_type = 'application/pdf'
      else content_type in ('image/jpeg', 'image/png', 'image/webp')
    end
  ),
  constraint uploads_size_is_within_limit check (
    size_bytes between 1 and case purpose when 'document' then 20 else 10 end * 1024 * 1024
  ),
  constraint uploads_file_name_length check (char_length(file_name) between 1 and 255),
  constraint uploads_file_name_plain check (app.is_plain_name(file_name))
);
comment on table app.uploads is 'One row per upload intent (docs/product.md M1, M2).';
comment on column app.uploads.asset_id is 'The asset of a completed upload; null until then.';
create index uploads_owner_id_idx on app.uploads (owner_id);
create index uploads_expires_at_idx on app.uploads (expires_at) where asset_id is null;
alter table app.uploads enable row level security;
grant select on app.uploads to authenticated;
grant insert (owner_id, purpose, content_type, size_bytes, file_name) on app.uploads to authenticated;

alter table app.profiles add constraint profiles_photo_asset_id_fkey foreign key (photo_asset_id)
references app.assets (id) on delete restrict;
