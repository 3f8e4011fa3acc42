create function app.put_hub_photo(p_hub_id uuid, p_asset_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.require_member(p_hub_id, 'admin');
  if p_asset_id is not distinct from (select h.photo_asset_id from app.hubs as h where h.id = p_hub_id) then
    return;
  end if;
  if p_asset_id is not null then
    perform app.require_asset(p_asset_id, '{hub_photo}', '["profileAssetId"]');
  end if;
  update app.hubs as h set photo_asset_id = p_asset_id where h.id = p_hub_id;
end
$$;
comment on function app.put_hub_photo(uuid, uuid) is 'Gives a Hub whose admin the caller is a photo, or none. The present one may be another admin''s: no policy could tell. Raises what app.require_member does, and VALIDATION_FAILED for an asset that is no Hub photo of the caller''s.';

revoke all on function app.put_hub_photo(uuid, uuid) from public;
grant execute on function app.put_hub_photo(uuid, uuid) to authenticated;
