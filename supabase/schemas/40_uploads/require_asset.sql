create function app.require_asset(p_asset_id uuid, p_purposes app.upload_purpose[], p_path jsonb)
returns void
language plpgsql
volatile
security invoker
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
comment on function app.require_asset(uuid, app.upload_purpose[], jsonb) is 'Lets an asset pass that is the caller''s own and of one of these purposes. Raises VALIDATION_FAILED with p_path, the field that named it.';

revoke all on function app.require_asset(uuid, app.upload_purpose[], jsonb) from public;
grant execute on function app.require_asset(uuid, app.upload_purpose[], jsonb) to authenticated;
