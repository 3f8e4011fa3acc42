create function app.photo_or(p_present uuid, p_args jsonb)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_asset_id uuid := (p_args ->> 'profileAssetId')::uuid;
begin
  if not p_args ? 'profileAssetId' then
    return p_present;
  end if;
  if v_asset_id is not null then
    perform app.require_asset(v_asset_id, array['profile_photo']::app.upload_purpose[], '["profileAssetId"]');
  end if;
  return v_asset_id;
end
$$;
comment on function app.photo_or(uuid, jsonb) is 'The photo that the arguments of a request choose by profileAssetId, none for null, or the present one where they do not speak of it. Raises VALIDATION_FAILED for an asset that is no profile photo of the caller''s.';

revoke all on function app.photo_or(uuid, jsonb) from public;
grant execute on function app.photo_or(uuid, jsonb) to authenticated;
