create function app.owns_asset(p_asset_id uuid)
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform from app.assets as a where a.id = p_asset_id and a.owner_id = app.user_id() for key share;
  return found;
end
$$;
comment on function app.owns_asset(uuid) is 'Whether an asset is the caller''s; if so it does not go before this transaction has ended. For the policies of what refers to assets as well: they cannot ask the table, whose own policy asks theirs.';

revoke all on function app.owns_asset(uuid) from public;
grant execute on function app.owns_asset(uuid) to authenticated;
