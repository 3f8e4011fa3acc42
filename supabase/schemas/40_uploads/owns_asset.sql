create function app.owns_asset(p_asset_id uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (select from app.assets as a where a.id = p_asset_id and a.owner_id = app.user_id());
end
$$;
comment on function app.owns_asset(uuid) is 'Whether an asset is the caller''s, for the policies of what refers to assets: they cannot ask the table, whose own policy asks theirs.';

revoke all on function app.owns_asset(uuid) from public;
grant execute on function app.owns_asset(uuid) to authenticated;
