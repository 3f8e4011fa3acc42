create function app.is_handle_taken(p_handle text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (select from app.profiles as p where p.username = p_handle and p.user_id <> app.user_id());
end
$$;
comment on function app.is_handle_taken(text) is 'Whether anybody but the caller has a handle now, also somebody whom the caller does not see.';

revoke all on function app.is_handle_taken(text) from public;
grant execute on function app.is_handle_taken(text) to authenticated;
