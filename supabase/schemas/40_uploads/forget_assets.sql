create function app.forget_assets(p_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- Whoever is about to refer to one of them has it locked; the next statement sees what they did.
  perform from app.assets as a where a.id = any (p_ids) order by a.id for update;
  with gone as (
    delete from app.assets as a
    where a.id = any (p_ids)
      and not exists (select from app.profiles as p where p.photo_asset_id = a.id)
      and not exists (select from app.hub_profiles as h where h.photo_asset_id = a.id)
      and not exists (select from app.hubs as g where g.photo_asset_id = a.id)
      and not exists (select from app.article_assets as m where m.asset_id = a.id)
      and not exists (select from app.comments as c where c.asset_id = a.id)
      and not exists (select from app.messages as m where m.asset_id = a.id)
    returning a.id
  )
  update app.stored_objects as o set expires_at = app.now() from gone where o.id = gone.id;
end
$$;
comment on function app.forget_assets(uuid[]) is 'Assets to which something referred, and nothing does any more, go; and their objects onto the worker''s list, to be removed once this has committed.';

revoke all on function app.forget_assets(uuid[]) from public;
