create function api.delete_account(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform app.require_level(1);
  perform app.end_own_account();
  return '{}'::jsonb;
end
$$;
comment on function api.delete_account(jsonb) is 'DELETE /users/me (contract.md 3). Takes nothing; answers {}. Sessions, device tokens, phone, contacts, name and handle go at once, posts are hidden at once; the worker removes the rest. Raises UNAUTHORIZED.';

revoke all on function api.delete_account(jsonb) from public;
grant execute on function api.delete_account(jsonb) to authenticated;
