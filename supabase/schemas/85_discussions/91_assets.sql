-- Apart from its table, since what an asset is attached to refers to assets.
create policy assets_select on app.assets for select to anon, authenticated
using (
  owner_id = (select app.user_id())
  or exists (select from app.article_assets as m where m.asset_id = assets.id)
  or exists (select from app.profiles as p where p.photo_asset_id = assets.id)
  or exists (select from app.hubs as h where h.photo_asset_id = assets.id)
  or exists (select from app.comments as c where c.asset_id = assets.id)
  or exists (select from app.messages as m where m.asset_id = assets.id)
);
comment on policy assets_select on app.assets is 'An asset is its owner''s, and of everybody who sees what it is attached to.';
