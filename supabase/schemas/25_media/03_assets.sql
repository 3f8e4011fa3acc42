create function api.get_download_url(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_asset app.assets;
begin
  perform app.require_level(1);
  select * into v_asset from app.assets as a where a.id = (p_args ->> 'assetId')::uuid;
  if v_asset.id is null then
    raise exception using errcode = 'PT404', message = 'ASSET_NOT_FOUND';
  end if;
  return jsonb_build_object(
    'bucket', app.bucket_of(v_asset.purpose),
    'fileName', case v_asset.purpose when 'document' then v_asset.file_name end,
    'expiresAt', app.iso(app.now() + interval '5 minutes')
  );
end
$$;
comment on function api.get_download_url is 'GET /uploads/{assetId}/download-url (docs/product.md M9). Grants the download of an asset. Args: assetId. Returns bucket, expiresAt and, for a document, fileName, for which the service signs the URL. Errors: UNAUTHORIZED, ASSET_NOT_FOUND (also for an asset that the caller may not see).';
grant execute on function api.get_download_url to authenticated;

create function app.owns_asset(p_asset_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from app.assets as a where a.id = p_asset_id and a.owner_id = app.user_id() for key share;
  return found;
end
$$;
comment on function app.owns_asset is 'Returns whether an asset is the caller''s, and keeps it from deletion until the end of the transaction. Policies of tables that refer to assets call it too: they cannot read app.assets, whose own policy reads those tables.';
grant execute on function app.owns_asset to authenticated;

create function app.require_asset(p_asset_id uuid, p_purposes app.upload_purpose[], p_path jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if not app.owns_asset(p_asset_id)
    or not exists (select from app.assets as a where a.id = p_asset_id and a.purpose = any (p_purposes)) then
    raise exception using errcode = 'PT422', message = 'VALIDATION_FAILED', detail = jsonb_build_object(
      'issues', jsonb_build_array(jsonb_build_object(
        'path', p_path, 'code', 'unknown_asset', 'message', 'Not a completed upload of yours for this purpose.'
      ))
    );
  end if;
end
$$;
comment on function app.require_asset is 'Raises VALIDATION_FAILED, with the field p_path, unless the asset is the caller''s and has one of these purposes.';
grant execute on function app.require_asset to authenticated;

create function app.release_asset() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.forget_assets(array[(to_jsonb(old) ->> tg_argv[0])::uuid]);
  return null;
end
$$;
comment on function app.release_asset is 'Trigger: as app.release_assets, for one row of a table whose updates rarely concern an asset.';

create function app.release_assets() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_ids uuid[];
begin
  execute format('select array_agg(former.%1$I) from former where former.%1$I is not null', tg_argv[0]) into v_ids;
  if v_ids is not null then
    perform app.forget_assets(v_ids);
  end if;
  return null;
end
$$;
comment on function app.release_assets is 'Trigger: calls app.forget_assets after rows that referred to assets are updated or deleted. The trigger''s argument is the referring column.';

create function app.forget_assets(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  -- A concurrent reference holds a lock on its asset; the next statement sees that reference.
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
comment on function app.forget_assets is 'Deletes those of the assets that nothing refers to any more, and queues their objects for removal by the worker after the commit.';
