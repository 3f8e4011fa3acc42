create function app.photo_url(p_asset_id uuid)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return coalesce(nullif(current_setting('opine.photos_url', true), ''), '/storage/v1/object/public/photos/') || p_asset_id;
end
$$;
comment on function app.photo_url(uuid) is 'Where everybody can read a photo of the public bucket, null for null. The service says with each request where its storage is; callers of the Data API get the path alone.';

revoke all on function app.photo_url(uuid) from public;
grant execute on function app.photo_url(uuid) to anon, authenticated;
