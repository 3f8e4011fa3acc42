create table app.contacts (
  user_id uuid not null references app.contact_snapshots (user_id) on delete cascade,
  place integer not null,
  name text not null,
  phone_numbers text[] not null,
  thumbnail bytea,
  constraint contacts_pkey primary key (user_id, place),
  constraint contacts_name_length check (char_length(name) <= 200),
  constraint contacts_place_is_within_limit check (place between 1 and 5000),
  constraint contacts_phone_numbers_are_e164 check (app.are_e164(variadic phone_numbers)),
  constraint contacts_phone_numbers_are_few check (cardinality(phone_numbers) <= 50),
  constraint contacts_thumbnail_is_small check (octet_length(thumbnail) <= 8192)
);
comment on table app.contacts is 'The contacts of a stored snapshot, in the order of the upload. Nobody but their owner reads them.';

-- For whoever ends their account and so leaves everybody's snapshot.
create index contacts_phone_numbers_idx on app.contacts using gin (phone_numbers);

alter table app.contacts enable row level security;

create policy contacts_select on app.contacts for select to authenticated
using (user_id = (select app.user_id()));

create policy contacts_insert on app.contacts for insert to authenticated
with check (user_id = (select app.user_id()));

grant select on app.contacts to authenticated;
grant insert (user_id, place, name, phone_numbers, thumbnail) on app.contacts to authenticated;
