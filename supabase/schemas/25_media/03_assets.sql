create function api.get_download_url(jsonb)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
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
comment on function api.get_download_url is 'GET /uploads/{assetId}/download-url (docs/product.md M9). Takes assetId; answers bucket, expiresAt and, of a document, fileName, for the service to sign the URL by. Raises UNAUTHORIZED, ASSET_NOT_FOUND, also for an asset that the caller may not see.';
grant execute on function api.get_download_url to authenticated;

create function app.owns_asset(p_asset_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform from app.assets as a where a.id = p_asset_id and a.owner_id = app.user_id() for key share;
  return found;
end
$$;
comment on function app.owns_asset is 'Whether an asset is the caller''s; if so it does not go before this transaction has ended. For the policies of what refers to assets as well: they cannot ask the table, whose own policy asks theirs.';
grant execute on function app.owns_asset to authenticated;

create function app.require_asset(p_asset_id uuid, p_purposes app.upload_purpose[], p_path jsonb)
returns void
language plpgsql
set search_path = ''
as $$
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
comment on function app.require_asset is 'Lets an asset pass that is the caller''s own and of one of these purposes. Raises VALIDATION_FAILED with p_path, the field that named it.';
grant execute on function app.require_asset to authenticated;

create function app.release_asset()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.forget_assets(array[(to_jsonb(old) ->> tg_argv[0])::uuid]);
  return null;
end
$$;
comment on function app.release_asset is 'As app.release_assets, for one row of a table whose rows often change in other ways.';

create function app.release_assets()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
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
comment on function app.release_assets is 'After rows that referred to assets (by the column that is the trigger''s argument) have changed or gone: see app.forget_assets.';

create function app.forget_assets(p_ids uuid[])
returns void
language plpgsql
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
comment on function app.forget_assets is 'Assets to which something referred, and nothing does any more, go; and their objects onto the worker''s list, to be removed once this has committed.';
