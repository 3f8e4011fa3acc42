-- Follows all tables that refer to app.assets, because it reads them.
create policy assets_select on app.assets for select to anon, authenticated
using (
  owner_id = (select app.user_id()) and not is_evidence_only
  or exists (select from app.article_assets as m where m.asset_id = assets.id)
  or exists (select from app.profiles as p where p.photo_asset_id = assets.id)
  or exists (select from app.hubs as h where h.photo_asset_id = assets.id)
  or exists (select from app.comments as c where c.asset_id = assets.id)
  -- A block hides discussions and not their messages.
  or exists (
    select
    from app.messages as m
    join app.discussions as d on d.id = m.discussion_id
    where m.asset_id = assets.id
  )
);

comment on policy assets_select on app.assets is
  'The owner of an asset sees it, and so does everybody who sees what it is attached to (docs/product.md M9).';
