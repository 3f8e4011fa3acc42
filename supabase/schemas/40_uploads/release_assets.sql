create function app.release_assets()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  execute format('select array_agg(former.%1$I) from former where former.%1$I is not null', tg_argv[0]) into v_ids;
  if v_ids is null then
    return null;
  end if;
  -- Whoever is about to refer to one of them has it locked; the next statement sees what they did.
  perform from app.assets as a where a.id = any (v_ids) order by a.id for update;
  with gone as (
    delete from app.assets as a
    where a.id = any (v_ids)
      and not exists (select from app.profiles as p where p.photo_asset_id = a.id)
      and not exists (select from app.hub_profiles as h where h.photo_asset_id = a.id)
      and not exists (select from app.hubs as g where g.photo_asset_id = a.id)
      and not exists (select from app.article_assets as m where m.asset_id = a.id)
      and not exists (select from app.messages as m where m.asset_id = a.id)
    returning a.id
  )
  update app.stored_objects as o set expires_at = app.now() from gone where o.id = gone.id;
  return null;
end
$$;
comment on function app.release_assets() is 'After rows that referred to assets (by the column that is the trigger''s argument) have changed or gone: assets that nothing refers to any more go too, and their objects onto the worker''s list, to be removed once this has committed.';

revoke all on function app.release_assets() from public;
