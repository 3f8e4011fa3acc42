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
comment on table app.uploads is 'Intents to upload a file (spec.md "Upload"): what comes lies in the bucket uploads, by the key that is the id, until the intent is completed or has expired.';
comment on column app.uploads.asset_id is 'What a completed upload became.';

create index uploads_owner_id_idx on app.uploads (owner_id);
create index uploads_expires_at_idx on app.uploads (expires_at) where asset_id is null;

alter table app.uploads enable row level security;

create policy uploads_select on app.uploads for select to authenticated
using (owner_id = (select app.user_id()));

create policy uploads_insert on app.uploads for insert to authenticated
with check (owner_id = (select app.user_id()));

grant select on app.uploads to authenticated;
grant insert (owner_id, purpose, content_type, size_bytes, file_name) on app.uploads to authenticated;
