create table app.profiles (
  user_id uuid primary key references app.users (id) on delete cascade,
  username text not null,
  full_name text not null,
  bio text,
  created_at timestamptz not null default app.now(),
  constraint profiles_username_key unique (username),
  constraint profiles_username_is_canonical check (app.is_handle(username)),
  constraint profiles_username_is_not_reserved check (not app.is_reserved_handle(username)),
  constraint profiles_full_name_length check (char_length(btrim(full_name)) >= 2 and char_length(full_name) <= 80),
  constraint profiles_bio_length check (char_length(bio) <= 160)
);
comment on table app.profiles is 'What everybody may see of a registered person (spec.md "User and profile"). An account without a row here is anonymous.';

alter table app.profiles enable row level security;

create policy profiles_select on app.profiles for select to anon, authenticated using (true);

create policy profiles_insert on app.profiles for insert to authenticated
with check (user_id = (select app.user_id()));

create policy profiles_update on app.profiles for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

grant select on app.profiles to anon, authenticated;
grant insert (user_id, username, full_name, bio) on app.profiles to authenticated;
grant update (username, full_name, bio) on app.profiles to authenticated;
