create function app.move_media(p_from uuid, p_into uuid) returns void
language sql set search_path = ''
begin atomic
  update app.stored_objects set owner_id = p_into where owner_id = p_from;
  update app.assets set owner_id = p_into where owner_id = p_from;
  update app.uploads set owner_id = p_into where owner_id = p_from;
end;
comment on function app.move_media is 'Moves the files of a merged account (docs/product.md I16).';

create function app.erase_uploads(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.uploads where owner_id = p_user_id and asset_id is null;
end;
comment on function app.erase_uploads is 'Deletes the open uploads of an ended account (docs/product.md I17).';

-- Rooms above have erased what used the assets. The objects that stay are evidence of open reports.
create function app.erase_media(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.delete_unused_assets(array(select a.id from app.assets as a where a.owner_id = p_user_id));
  update app.stored_objects as o
  set expires_at = app.now()
  where o.owner_id = p_user_id and o.expires_at is null and not exists (select from app.assets as a where a.id = o.id);
end
$$;
comment on function app.erase_media is 'Queues the stored objects of an ended account for the worker.';

create function app.export_uploads() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'uploadId', u.id, 'assetId', u.asset_id, 'purpose', u.purpose, 'contentType', u.content_type, 'sizeBytes',
    u.size_bytes,
    'fileName', u.file_name, 'checksum', encode(a.checksum, 'hex'), 'width', a.width, 'height', a.height,
    'createdAt', app.iso(u.created_at)
  )
  from app.uploads as u
  left join app.assets as a on a.id = u.asset_id and a.owner_id = u.owner_id
  where u.owner_id = app.user_id()
  order by u.created_at desc, u.id desc
  limit 100000;
end;
comment on function app.export_uploads is
  'Returns the section uploads of the export, without the files: the caller downloads each completed one by its '
  'assetId.';
grant execute on function app.export_uploads to authenticated;

create function app.expire_objects(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  update app.stored_objects
  set expires_at = app.now()
  where owner_id = p_user_id and attempt_count = 0 and expires_at > app.now();
end;
comment on function app.expire_objects is
  'Makes the stored objects of an ended account due, none of whose uploads can be completed any more.';
