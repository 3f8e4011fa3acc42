create function app.own_uploads()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'uploadId', u.id, 'assetId', u.asset_id, 'purpose', u.purpose, 'contentType', u.content_type, 'sizeBytes', u.size_bytes,
    'fileName', u.file_name, 'checksum', encode(a.checksum, 'hex'), 'width', a.width, 'height', a.height,
    'createdAt', app.iso(u.created_at)
  )
  from app.uploads as u
  left join app.assets as a on a.id = u.asset_id and a.owner_id = u.owner_id
  where u.owner_id = app.user_id()
  order by u.created_at desc, u.id desc
  limit 100000;
end;
comment on function app.own_uploads() is 'Of the export: what the caller uploaded, without the files: each completed one is to be had by its assetId.';

revoke all on function app.own_uploads() from public;
grant execute on function app.own_uploads() to authenticated;
