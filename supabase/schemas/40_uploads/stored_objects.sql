create table app.stored_objects (
  id uuid primary key default app.uuid_v7(),
  owner_id uuid not null references app.users (id) on delete restrict,
  bucket text not null,
  object_key text not null,
  created_at timestamptz not null default app.now(),
  constraint stored_objects_key_key unique (bucket, object_key)
);
comment on table app.stored_objects is 'What lies in object storage, and whose it is. A row goes only after its object, so that none is ever forgotten there.';

create index stored_objects_owner_id_idx on app.stored_objects (owner_id);

alter table app.stored_objects enable row level security;
