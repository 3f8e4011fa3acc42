create table app.hubs (
  id uuid primary key default app.uuid_v7(),
  name text not null,
  description text not null default '',
  photo_asset_id uuid references app.assets (id) on delete restrict,
  custom_link text collate "C",
  search_name text collate "C" not null generated always as (app.folded(name)) stored,
  member_count integer not null default 0,
  last_activity_at timestamptz not null default app.now(),
  closed_at timestamptz,
  suspended_at timestamptz,
  is_open boolean not null generated always as (closed_at is null and suspended_at is null) stored,
  constraint hubs_custom_link_key unique (custom_link),
  constraint hubs_custom_link_is_canonical check (custom_link ~ '^[a-z0-9-]{3,40}$'),
  constraint hubs_name_length check (char_length(btrim(name)) >= 2 and char_length(name) <= 80),
  constraint hubs_name_plain check (app.is_plain_name(name)),
  constraint hubs_description_length check (char_length(description) <= 500),
  constraint hubs_description_visible check (description = '' or app.has_visible_character(description)),
  constraint hubs_closed_are_empty check (closed_at is null or (member_count = 0 and custom_link is null)),
  constraint hubs_suspended_are_empty check (suspended_at is null or member_count = 0)
);
comment on table app.hubs is 'Private groups (spec.md "Hub"). Everybody may see that one is there; what it shows of itself to whom is app.hub_card.';
comment on column app.hubs.member_count is 'How many rows of app.memberships it has, kept by their triggers.';
comment on column app.hubs.last_activity_at is 'When somebody last placed a post in it or wrote into a discussion.';
comment on column app.hubs.closed_at is 'When its last member left. From then on it is nobody''s; the worker removes it part by part.';
comment on column app.hubs.suspended_at is 'Since when it is suspended by staff: its members are in app.suspended_memberships until it is restored.';
comment on column app.hubs.is_open is 'Whether it is there for anybody: neither closed nor suspended.';

create index hubs_photo_asset_id_idx on app.hubs (photo_asset_id);
create index hubs_closed_at_idx on app.hubs (closed_at) where closed_at is not null;
create index hubs_search_name_idx on app.hubs (search_name, id);
create index hubs_last_word_idx on app.hubs (app.last_word(search_name), id);
create index hubs_fuzzy_idx on app.hubs using gin ((coalesce(custom_link, '') || ' ' || search_name) extensions.gin_trgm_ops)
  with (fastupdate = off);

alter table app.hubs enable row level security;

create policy hubs_select on app.hubs for select to anon, authenticated
using (is_open);

grant select on app.hubs to anon, authenticated;
grant update (name, description, custom_link) on app.hubs to authenticated;

-- By row: most that happens to a Hub changes its numbers alone.
create trigger hubs_release_photo_after_update after update of photo_asset_id on app.hubs
for each row when (old.photo_asset_id is distinct from new.photo_asset_id)
execute function app.release_asset('photo_asset_id');

create trigger hubs_release_photo_after_delete after delete on app.hubs
for each row when (old.photo_asset_id is not null)
execute function app.release_asset('photo_asset_id');
