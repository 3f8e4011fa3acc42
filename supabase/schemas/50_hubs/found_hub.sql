create function app.found_hub(p_name text, p_description text, p_custom_link text, p_photo_asset_id uuid)
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_hub_id uuid;
begin
  perform app.require_level(4);
  if p_photo_asset_id is not null then
    perform app.require_asset(p_photo_asset_id, '{hub_photo}', '["profileAssetId"]');
  end if;
  insert into app.hubs (name, description, custom_link, photo_asset_id)
  values (p_name, coalesce(p_description, ''), p_custom_link, p_photo_asset_id)
  returning id into v_hub_id;
  insert into app.memberships (hub_id, user_id, role) values (v_hub_id, app.user_id(), 'admin');
  return v_hub_id;
end
$$;
comment on function app.found_hub(text, text, text, uuid) is 'Makes a Hub whose only member is the caller, as its admin, and answers its id. Raises FORBIDDEN below level 4, CUSTOM_LINK_TAKEN by hubs_custom_link_key, VALIDATION_FAILED for a photo that is none of the caller''s.';

revoke all on function app.found_hub(text, text, text, uuid) from public;
grant execute on function app.found_hub(text, text, text, uuid) to authenticated;
