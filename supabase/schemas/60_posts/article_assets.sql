create table app.article_assets (
  article_id uuid not null references app.articles (id) on delete cascade,
  place integer not null,
  asset_id uuid not null references app.assets (id) on delete restrict,
  constraint article_assets_pkey primary key (article_id, place),
  constraint article_assets_are_distinct unique (article_id, asset_id),
  constraint article_assets_place_is_within_limit check (place between 1 and 10)
);
comment on table app.article_assets is 'The media of articles, in their order (contract.md 7). Who sees the article sees them.';

create index article_assets_asset_id_idx on app.article_assets (asset_id);

alter table app.article_assets enable row level security;

create policy article_assets_select on app.article_assets for select to anon, authenticated
using (exists (select from app.articles as a where a.id = article_assets.article_id));

create policy article_assets_insert on app.article_assets for insert to authenticated
with check (
  exists (select from app.articles as a where a.id = article_assets.article_id and a.author_id = (select app.user_id()))
  and app.owns_asset(asset_id)
);

grant select on app.article_assets to anon, authenticated;
grant insert (article_id, place, asset_id) on app.article_assets to authenticated;

create trigger article_assets_release_after_delete after delete on app.article_assets
referencing old table as former
for each statement execute function app.release_assets('asset_id');
