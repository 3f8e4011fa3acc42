create table app.contact_snapshots (
  user_id uuid primary key references app.users (id) on delete cascade,
  upload_id uuid not null default app.uuid_v7(),
  permission text not null,
  contact_count integer,
  created_at timestamptz not null default app.now(),
  stored_at timestamptz,
  constraint contact_snapshots_upload_id_key unique (upload_id),
  constraint contact_snapshots_permission_is_known check (permission in ('granted', 'limited')),
  constraint contact_snapshots_contact_count_is_within_limit check (contact_count between 0 and 1000000)
);
comment on table app.contact_snapshots is 'The one upload of a person''s contacts: announced when they acknowledge the step, stored when it arrives (spec.md "Onboarding").';
comment on column app.contact_snapshots.contact_count is 'How many contacts the device said that it has; null where it did not say.';

alter table app.contact_snapshots enable row level security;

create policy contact_snapshots_select on app.contact_snapshots for select to authenticated
using (user_id = (select app.user_id()));

create policy contact_snapshots_insert on app.contact_snapshots for insert to authenticated
with check (user_id = (select app.user_id()));

create policy contact_snapshots_update on app.contact_snapshots for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

grant select on app.contact_snapshots to authenticated;
grant insert (user_id, permission, contact_count) on app.contact_snapshots to authenticated;
grant update (stored_at) on app.contact_snapshots to authenticated;
