create table app.stored_objects (
  id uuid primary key default app.uuid_v7(),
  owner_id uuid not null references app.users (id) on delete restrict,
  bucket text not null,
  expires_at timestamptz,
  attempt_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint stored_objects_bucket_is_known check (bucket in ('photos', 'media'))
);
comment on table app.stored_objects is 'What lies, or is about to lie, in the buckets photos and media, by the key that is its id. A row is there before its object and goes after it, so that none is ever forgotten in storage.';
comment on column app.stored_objects.expires_at is 'When the worker removes it (again, where it failed); null as long as it is an asset.';

create index stored_objects_owner_id_idx on app.stored_objects (owner_id);
create index stored_objects_expires_at_idx on app.stored_objects (expires_at) where expires_at is not null;

alter table app.stored_objects enable row level security;
