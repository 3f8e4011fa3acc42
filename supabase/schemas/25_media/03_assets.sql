-- Grants the download of an asset.
--
-- Args: assetId. Returns bucket, expiresAt and, for a document, fileName, for which the service signs the
-- URL.
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
    'expiresAt', app.iso(app.now() + app.link_lifetime())
  );
end
$$;
comment on function api.get_download_url is 'GET /uploads/{assetId}/download-url (docs/product.md M9).';
grant execute on function api.get_download_url to authenticated;

create function app.link_lifetime() returns interval language sql immutable
return interval '5 minutes';
comment on function app.link_lifetime is 'Returns how long a link to one file works (docs/product.md M9, S23).';
grant execute on function app.link_lifetime to authenticated;

-- Grants the download of assets.
--
-- Args: assetIds, variant. Returns issuedAt and expiresAt, the same within a quarter of an hour, and items
-- for those that the caller may see, in the order of the arguments: assetId with bucket and, for a document,
-- fileName, for which the service signs the URL.
create function api.get_download_urls(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_ids uuid[] := app.ids_argument(p_args, 'assetIds', 1, 50);
  v_thumbnails boolean := coalesce(
    app.choice_argument(p_args, 'variant', 'original', 'thumbnail') = 'thumbnail', false
  );
  v_quarter timestamptz := date_bin('15 minutes', app.now(), 'epoch');
begin
  return jsonb_build_object(
    'issuedAt', app.iso(v_quarter),
    'expiresAt', app.iso(v_quarter + interval '30 minutes'),
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'assetId', a.id,
        'bucket', app.bucket_of(a.purpose),
        'fileName', case a.purpose when 'document' then a.file_name end
      ) order by given.place), '[]')
      from unnest(v_ids) with ordinality as given (id, place)
      join app.assets as a on a.id = given.id and (a.has_thumbnail or not v_thumbnails)
    )
  );
end
$$;
comment on function api.get_download_urls is 'POST /uploads/download-urls (docs/product.md M13).';
grant execute on function api.get_download_urls to anon, authenticated;

-- Policies of tables that refer to assets call it too: they cannot read app.assets, whose own policy reads
-- those tables.
create function app.owns_asset(p_asset_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform
  from app.assets as a
  where a.id = p_asset_id and a.owner_id = app.user_id() and not a.is_evidence_only
  for key share;
  return found;
end
$$;
comment on function app.owns_asset is
  'Returns whether an asset is the caller''s, and keeps it from deletion until the end of the transaction.';
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
comment on function app.require_asset is
  'Raises VALIDATION_FAILED, with the field p_path, unless the asset is the caller''s and has one of these purposes.';
grant execute on function app.require_asset to authenticated;

-- Few have a picture, so a function of its own keeps app.assets and its policy out of the plans of lists.
create function app.picture_json(p_asset_id uuid, p_alt_text text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_asset app.assets;
begin
  if p_asset_id is not null then
    select * into v_asset from app.assets as a where a.id = p_asset_id;
  end if;
  return jsonb_build_object(
    'assetId', p_asset_id, 'altText', p_alt_text,
    'width', v_asset.width, 'height', v_asset.height, 'blurhash', v_asset.blurhash
  );
end
$$;
comment on function app.picture_json is
  'Returns the picture of a comment or message as fields beside its text (docs/product.md M7); all are null without '
  'one.';
grant execute on function app.picture_json to anon, authenticated;

-- Args: as app.argument. Returns the text; null if it is missing, null or empty. Errors: VALIDATION_FAILED,
-- also without an assetId.
create function app.alt_text_argument(p_args jsonb, p_within text default null) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_alt_text text := nullif(app.text_argument(p_args, 'altText', 0, 500, p_within), '');
begin
  if v_alt_text is not null and p_args ->> 'assetId' is null then
    perform app.refuse_argument(
      array_remove(array[p_within, 'altText'], null), 'without_asset', 'There is no picture to describe.'
    );
  end if;
  return v_alt_text;
end
$$;
comment on function app.alt_text_argument is
  'Reads the argument altText, which describes the file of the argument assetId.';
grant execute on function app.alt_text_argument to authenticated;

create function app.delete_former_asset() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.delete_unused_assets(array[(to_jsonb(old) ->> tg_argv[0])::uuid]);
  return null;
end
$$;
comment on function app.delete_former_asset is
  'Trigger: as app.delete_former_assets, for one row of a table whose updates rarely concern an asset.';

-- The trigger's argument is the referring column.
create function app.delete_former_assets() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_ids uuid[];
begin
  execute format('select array_agg(former.%1$I) from former where former.%1$I is not null', tg_argv[0]) into v_ids;
  if v_ids is not null then
    perform app.delete_unused_assets(v_ids);
  end if;
  return null;
end
$$;
comment on function app.delete_former_assets is
  'Trigger: calls app.delete_unused_assets after rows that referred to assets are updated or deleted.';

-- Deletes those of the assets that nothing uses any more, and queues their objects for removal by the worker
-- after the commit. A row uses an asset whose deletion its foreign key restricts, so no list of tables can
-- lack one.
create function app.delete_unused_assets(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_unused uuid[] := p_ids;
  v_use record;
begin
  -- A concurrent reference holds a lock on its asset; the next statement sees that reference.
  perform from app.assets as a where a.id = any (p_ids) order by a.id for update;
  for v_use in
    select c.conrelid::regclass as by_table, a.attname as by_column
    from pg_catalog.pg_constraint as c
    join pg_catalog.pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'app.assets'::regclass and c.confdeltype = 'r'
  loop
    execute format(
      'select array(select u.id from unnest($1) as u (id) where not exists (select from %s as r where r.%I = u.id))',
      v_use.by_table, v_use.by_column
    ) into v_unused using v_unused;
  end loop;
  delete from app.uploads as u where u.asset_id = any (v_unused);
  with gone as (
    delete from app.assets as a where a.id = any (v_unused) returning a.id
  )
  update app.stored_objects as o set expires_at = app.now() from gone where o.id = gone.id;
end
$$;
comment on function app.delete_unused_assets is
  'Deletes those of the assets that nothing uses any more (docs/product.md S25).';
